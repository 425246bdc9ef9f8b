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


@torch.inference_mode()
def layers(x, weights):
    for weight in weights:
        x = torch.relu(x @ weight)
    return x


print(f"{torch.cuda.get_device_name()}, launched from {cpu_name()}")
rows, medians, bars = [], [], []
for width in (64, 2048):
    torch.compiler.reset()
    weights = [torch.randn(width, width, device="cuda") / width**0.5 for _ in range(40)]
    call = (torch.randn(width, width, device="cuda"), weights)
    modes = {"eager": layers}
    modes |= {
        mode: torch.compile(layers, mode=mode)
        for mode in ("default", "reduce-overhead")
    }
    for function in modes.values():
        # compiles; the CUDA graph is recorded at the second call
        call_time(function, *call)
    rounds = [
        [call_time(function, *call) for function in modes.values()] for _ in range(21)
    ]
    for mode, samples in zip(modes, zip(*rounds, strict=True), strict=True):
        low, middle, high = quantiles(samples, n=4)
        medians.append(middle)
        if width == 64:
            bars.append(
                (
                    f"40 layers of width 64, {mode}",
                    (low * 1e-6, middle * 1e-6, high * 1e-6),
                )
            )
        rows.append([width, mode, f"{middle:,.0f} µs", f"{low:,.0f} to {high:,.0f} µs"])
show(Table(["width", "mode", "median of a call", "quartiles"], rows))
show(Bars(bars))
eager_us, default_us, graphs_us, wide_eager_us, wide_default_us, wide_graphs_us = (
    medians
)
small_gain, wide_gain = default_us / graphs_us, wide_default_us / wide_graphs_us
# region checks
assert graphs_us < min(eager_us, default_us) and small_gain > 2 * wide_gain
# endregion
