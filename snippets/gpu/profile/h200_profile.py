# /// lesson
# needs = ["gpu", "triton"]
# memory = 32768
# ///
"""One training step of a transformer block, compiled: its kernels by time, with names that say what is inside."""

import torch
import torch.nn.functional as F
from torch.autograd import DeviceType
from torch.profiler import ProfilerActivity, profile

from compile_lessons import Table, show


class Block(torch.nn.Module):
    def __init__(self, width=2048, heads=16):
        super().__init__()
        self.heads, self.norms = heads, torch.nn.ModuleList(torch.nn.RMSNorm(width) for _ in range(2))
        self.qkv, self.out = torch.nn.Linear(width, 3 * width), torch.nn.Linear(width, width)
        self.up, self.down = torch.nn.Linear(width, 4 * width), torch.nn.Linear(4 * width, width)

    def forward(self, x):
        q, k, v = self.qkv(self.norms[0](x)).unflatten(-1, (3, self.heads, -1)).permute(2, 0, 3, 1, 4)
        attended = F.scaled_dot_product_attention(q, k, v, is_causal=True)
        x = x + self.out(attended.transpose(1, 2).flatten(2))
        return x + self.down(F.gelu(self.up(self.norms[1](x))))


x = torch.randn(8, 2048, 2048, device="cuda", dtype=torch.bfloat16)
rows, totals = [], {}
for name, block in {"eager": Block().cuda().bfloat16(), "compiled": torch.compile(Block().cuda().bfloat16())}.items():
    for _ in range(3):
        block(x).square().mean().backward()
    with profile(activities=[ProfilerActivity.CUDA], acc_events=True) as profiler:
        block(x).square().mean().backward()
        torch.cuda.synchronize()
    kernels = [one for one in profiler.key_averages() if one.device_type == DeviceType.CUDA and one.device_time_total]
    kernels = sorted((one for one in kernels if not one.is_user_annotation), key=lambda one: -one.device_time_total)
    totals[name] = sum(one.device_time_total for one in kernels)
    for one in kernels[:10]:
        us = one.device_time_total
        rows.append([name, one.key[:56], one.count, f"{us:.0f}", f"{us / totals[name]:.0%}"])
show(Table(["mode", "kernel", "calls", "µs", "share"], rows))
eager_us, compiled_us = totals.values()
# region checks
assert any(row[1].startswith("triton_") for row in rows if row[0] == "compiled")
# endregion
