# /// lesson
# needs = ["gpu", "triton"]
# memory = 32768
# timeout = 300
# env = {PYTHONWARNINGS = "ignore"}
# ///
"""Small kernels cost more to launch than to run; a CUDA graph launches them at once."""

from statistics import quantiles

import torch
from _clock import call_time, cpu_name

from compile_lessons import Table, show
from compile_lessons.show.charts import Bars


# region turns
@torch.inference_mode()
def layers(x, weights):
    for weight in weights:
        x = torch.relu(x @ weight)
    return x


def take_turns(functions, x, weights):
    """Return 21 times of a call, in µs, for each function. The functions take turns."""
    for function in functions.values():
        call_time(function, x, weights)  # compiles, and records the CUDA graph
    samples = {name: [] for name in functions}
    for _ in range(21):
        for name, function in functions.items():
            samples[name].append(call_time(function, x, weights))
    return samples


# endregion
print(f"{torch.cuda.get_device_name()}, launched from {cpu_name()}")
# region widths
rows = []
bars = []
medians = {}
for width in (64, 2048):
    torch.compiler.reset()
    functions = {
        "eager": layers,
        "default": torch.compile(layers, mode="default"),
        "reduce-overhead": torch.compile(layers, mode="reduce-overhead"),
    }
    weights = [torch.randn(width, width, device="cuda") / width**0.5 for _ in range(40)]
    x = torch.randn(width, width, device="cuda")
    for mode, samples in take_turns(functions, x, weights).items():
        low, median, high = quantiles(samples, n=4)
        medians[width, mode] = median
        rows.append([width, mode, f"{median:,.0f} µs", f"{low:,.0f} to {high:,.0f} µs"])
        seconds = (low * 1e-6, median * 1e-6, high * 1e-6)
        bars.append((f"40 layers of width {width}, {mode}", seconds))
show(Table(["width", "mode", "median of a call", "quartiles"], rows))
show(Bars(bars[:3]))  # of width 64
# endregion
eager_us = medians[64, "eager"]
default_us = medians[64, "default"]
graphs_us = medians[64, "reduce-overhead"]
# region checks
small_gain = default_us / graphs_us
wide_gain = medians[2048, "default"] / medians[2048, "reduce-overhead"]
assert graphs_us < min(eager_us, default_us)
assert small_gain > 2 * wide_gain
# endregion
