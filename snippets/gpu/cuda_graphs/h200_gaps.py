# /// lesson
# needs = ["gpu", "triton"]
# memory = 16384
# ///
"""Eight blocks at batch 1: how long the GPU works in a call, and how long it waits."""

import torch
from _timeline import cpu_name, timeline
from torch.nn.functional import silu

from compile_lessons import Table, show


# region model
class Block(torch.nn.Module):
    def __init__(self, width):
        super().__init__()
        self.norm = torch.nn.RMSNorm(width)
        self.up = torch.nn.Linear(width, 4 * width)
        self.down = torch.nn.Linear(4 * width, width)

    def forward(self, x):
        return x + self.down(silu(self.up(self.norm(x))))


blocks = [Block(512) for _ in range(8)]
model = torch.nn.Sequential(*blocks).cuda().bfloat16()
x = torch.randn(1, 512, device="cuda", dtype=torch.bfloat16)
# endregion

# region measure
print(f"{torch.cuda.get_device_name()}, launched from {cpu_name()}")
rows = []
spans = {}
idle = {}
with torch.inference_mode():
    expected = model(x)
    for mode in ("eager", "default", "reduce-overhead"):
        torch.compiler.reset()
        function = model if mode == "eager" else torch.compile(model, mode=mode)
        torch.testing.assert_close(function(x), expected, atol=0.1, rtol=0.1)
        kernels, busy, span = timeline(function, x)
        spans[mode] = span
        idle[mode] = 1 - busy / span
        microseconds = [f"{busy:.0f}", f"{span:.0f}"]
        rows.append([mode, f"{kernels:.0f}", *microseconds, f"{idle[mode]:.0%}"])
columns = ["mode", "kernels a call", "kernels run, µs", "call to call, µs", "GPU idle"]
show(Table(columns, rows))
# endregion
eager_us = spans["eager"]
default_us = spans["default"]
graphs_us = spans["reduce-overhead"]
# region checks
assert graphs_us < min(eager_us, default_us)
assert idle["reduce-overhead"] < min(idle["eager"], idle["default"])
# endregion
