# /// lesson
# needs = ["gpu", "triton"]
# memory = 16384
# ///
"""Eight blocks at batch 1: how long the GPU works in one call, and how long it waits for the next launch."""

import torch
from _timeline import cpu_name, timeline

from compile_lessons import Table, show


class Block(torch.nn.Module):
    def __init__(self, width):
        super().__init__()
        self.norm = torch.nn.RMSNorm(width)
        self.up, self.down = torch.nn.Linear(width, 4 * width), torch.nn.Linear(4 * width, width)

    def forward(self, x):
        return x + self.down(torch.nn.functional.silu(self.up(self.norm(x))))


print(f"{torch.cuda.get_device_name()}, launched from {cpu_name()}")
model = torch.nn.Sequential(*(Block(512) for _ in range(8))).cuda().bfloat16()
x = torch.randn(1, 512, device="cuda", dtype=torch.bfloat16)
rows = []
with torch.inference_mode():
    expected = model(x)
    for mode in (None, "default", "reduce-overhead"):
        torch.compiler.reset()
        function = torch.compile(model, mode=mode) if mode else model
        torch.testing.assert_close(function(x), expected, atol=0.1, rtol=0.1)
        kernels, busy, span = timeline(lambda function=function: function(x))
        waits = 1 - busy / span
        rows.append([mode or "eager", f"{kernels:.0f}", f"{busy:.0f}", f"{span:.0f}", f"{waits:.0%}"])
show(Table(["mode", "kernels a call", "kernels run, µs", "call to call, µs", "GPU idle"], rows))
eager_us, default_us, graphs_us = (float(row[3]) for row in rows)
eager_idle, default_idle, graphs_idle = (float(row[4].rstrip("%")) / 100 for row in rows)
# region checks
assert graphs_us < min(eager_us, default_us) and graphs_idle < min(eager_idle, default_idle)
# endregion
