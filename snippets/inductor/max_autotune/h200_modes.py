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

first = {variant: first_calls(variant) for variant in VARIANTS}
# the other snippet shows the logs
torch._inductor.config.autotune_num_choices_displayed = 0
logging.disable()
warnings.simplefilter("ignore")
table, kernels, us, gpu_us = [], {}, {}, {}
for at, rows in enumerate(ROWS):
    arguments, times = inputs(rows), {variant: [] for variant in VARIANTS}
    with torch.inference_mode():
        functions = {
            variant: partial(compile_as(variant), *arguments) for variant in VARIANTS
        }
        for variant in [*VARIANTS] * 8:
            times[variant].append(microseconds(functions[variant]))
        for variant, (_, *samples) in times.items():
            us[rows, variant] = median(samples)
            gpu_us[rows, variant], kernels[rows, variant] = on_the_gpu(
                functions[variant]
            )
            row = [
                rows,
                variant,
                f"{first[variant][at]:.1f} s",
                f"{median(samples):.1f}",
            ]
            row += [
                f"{min(samples):.1f} to {max(samples):.1f}",
                f"{gpu_us[rows, variant]:.1f}",
            ]
            table.append([*row, len(kernels[rows, variant])])
show(
    Table(
        [
            "rows",
            "compiled",
            "first call",
            "µs",
            "of seven",
            "µs on the GPU",
            "kernels",
        ],
        table,
    )
)
for (rows, variant), names in kernels.items():
    print(f"{rows}, {variant}: {', '.join(names)}")
# region checks
values = zip(("default", "tuned", "graphs", "fused"), VARIANTS, strict=True)
for name, variant in values:
    for rows in ROWS:
        globals()[f"{name}_{rows}_us"], globals()[f"{name}_{rows}_gpu_us"] = (
            us[rows, variant],
            gpu_us[rows, variant],
        )
    globals()[f"{name}_first_s"] = first[variant][0]
assert len(table) == len(ROWS) * len(VARIANTS)
# endregion
