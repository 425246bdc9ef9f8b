# /// lesson
# needs = ["compiler"]
# varies.output = ['\d[\d.,]*']
# varies.values = ["gain", "eager_us", "compiled_us"]
# ///
"""Two of the models on a CPU, smaller, in inference: paired medians."""

from statistics import median
from time import perf_counter

import torch
from _models import SMALL, build

from compile_lessons import Table, show


def microseconds(function, x):
    began = perf_counter()
    for _ in range(2):
        function(x)
    return (perf_counter() - began) / 2 * 1e6


@torch.inference_mode()
def paired(model, compiled, x):
    """Return the medians of eager and compiled calls, which take turns."""
    compiled(x)  # compiles
    pairs = [(microseconds(model, x), microseconds(compiled, x)) for _ in range(15)]
    return [median(times) for times in zip(*pairs[3:], strict=True)]


torch.set_num_threads(1)
rows = []
for name in ("MLP", "transformer block"):
    torch.compiler.reset()
    model, batch = build(name, "cpu", torch.float32, SMALL)
    compiled = torch.compile(model.eval(), dynamic=False)
    for size in (1, 64):
        eager_us, compiled_us = paired(model, compiled, batch(size))
        gain = eager_us / compiled_us
        times = [f"{eager_us:,.0f} µs", f"{compiled_us:,.0f} µs", f"{gain:.2f}"]
        rows.append([name, size, *times])
show(Table(["model", "batch", "eager", "compiled", "gain"], rows))
