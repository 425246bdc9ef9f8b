# /// lesson
# needs = ["compiler"]
# varies.output = ['\d[\d.,]*']
# varies.values = ["mlp_1", "mlp_64", "transformer_1", "transformer_64", "began", "compiled_us", "eager_us"]
# ///
"""Two of the models on a CPU, smaller, in inference: paired medians over batch sizes."""

from statistics import median
from time import perf_counter

import torch
from _models import SMALL, build

from compile_lessons import Table, show

torch.set_num_threads(1)
gains, rows = [], []
for name in ("MLP", "transformer block"):
    torch.compiler.reset()
    model, batch = build(name, "cpu", torch.float32, SMALL)
    compiled = torch.compile(model.eval(), dynamic=False)
    for size in (1, 64):
        x, rounds = batch(size), []
        with torch.inference_mode():
            compiled(x)  # compiles
            for _ in range(15):
                times = []
                for function in (model, compiled):
                    began = perf_counter()
                    for _ in range(2):
                        function(x)
                    times.append((perf_counter() - began) / 2 * 1e6)
                rounds.append(times)
        eager_us, compiled_us = (median(times) for times in zip(*rounds[3:], strict=True))
        gains.append(eager_us / compiled_us)
        rows.append([name, size, f"{eager_us:,.0f} µs", f"{compiled_us:,.0f} µs", f"{gains[-1]:.2f}"])
show(Table(["model", "batch", "eager", "compiled", "gain"], rows))
mlp_1, mlp_64, transformer_1, transformer_64 = gains
