# /// lesson
# needs = ["gpu", "triton"]
# timeout = 300
# memory = 32768
# env = {TORCHINDUCTOR_COMPILE_THREADS = "16"}
# ///
"""Four ways to compile a layer: the first call, then the time of a call, in turn."""

import logging
import warnings
from functools import partial
from statistics import median

import torch
from _layer import (
    ROWS,
    VARIANTS,
    compile_as,
    first_calls,
    inputs,
    microseconds,
    on_the_gpu,
)

from compile_lessons import Table, show

# the other program shows the logs
torch._inductor.config.autotune_num_choices_displayed = 0
logging.disable()
warnings.simplefilter("ignore")


# region turns
def take_turns(functions):
    """Return seven times of a call in µs for each function, after one that compiles."""
    times = {case: [] for case in functions}
    for _ in range(8):
        for case, function in functions.items():
            times[case].append(microseconds(function))
    return {case: times[case][1:] for case in functions}


first_seconds = {variant: first_calls(variant) for variant in VARIANTS}
samples = {}
profiles = {}
for rows in ROWS:
    arguments = inputs(rows)
    functions = {
        (rows, variant): partial(compile_as(variant), *arguments)
        for variant in VARIANTS
    }
    with torch.inference_mode():
        samples |= take_turns(functions)
        for case, function in functions.items():
            profiles[case] = on_the_gpu(function)
# endregion

# region table
table = []
for (rows, variant), times in samples.items():
    first = first_seconds[variant][rows]
    gpu_us, kernels = profiles[rows, variant]
    seven = f"{min(times):.1f} to {max(times):.1f}"
    cells = [f"{first:.1f} s", f"{median(times):.1f}", seven, f"{gpu_us:.1f}"]
    table.append([rows, variant, *cells, len(kernels)])
columns = ["first call", "µs", "of seven", "µs on the GPU", "kernels"]
show(Table(["rows", "compiled", *columns], table))
for (rows, variant), (_, kernels) in profiles.items():
    print(f"{rows}, {variant}: {', '.join(kernels)}")
# endregion
tuned = "max-autotune-no-cudagraphs"
default_16_us = median(samples[16, "default"])
tuned_16_us = median(samples[16, tuned])
default_16_gpu_us, _ = profiles[16, "default"]
tuned_16_gpu_us, _ = profiles[16, tuned]
default_8192_gpu_us, _ = profiles[8192, "default"]
tuned_8192_gpu_us, _ = profiles[8192, tuned]
fused_8192_gpu_us, _ = profiles[8192, "GELU fused untimed"]
default_first_s = first_seconds["default"][16]
autotuned_first = [first_seconds[name][16] for name in VARIANTS if name != "default"]
shortest_first_s = min(autotuned_first)
longest_first_s = max(autotuned_first)
# region checks
assert len(table) == len(ROWS) * len(VARIANTS)
# endregion
