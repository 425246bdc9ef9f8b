# /// lesson
# needs = ["gpu", "triton"]
# memory = 32768
# ///
"""One training step of a transformer block, compiled: its kernels by time, with names that say what is inside."""

import torch
from _block import Block
from torch.autograd import DeviceType
from torch.profiler import ProfilerActivity, profile

from compile_lessons import Table, show


# region profiled
def profiled(step):
    """Return the kernels of one step, the longest first."""
    for _ in range(3):
        step()  # compiles, and warms up
    with profile(activities=[ProfilerActivity.CUDA], acc_events=True) as profiler:
        step()
        torch.cuda.synchronize()
    kernels = [one for one in profiler.key_averages() if one.device_type == DeviceType.CUDA and one.device_time_total]
    return sorted((one for one in kernels if not one.is_user_annotation), key=lambda one: -one.device_time_total)


# endregion
x = torch.randn(8, 2048, 2048, device="cuda", dtype=torch.bfloat16)
block = Block().cuda().bfloat16()
rows, totals = [], {}
for name, module in {"eager": block, "compiled": torch.compile(block)}.items():
    kernels = profiled(lambda module=module: module(x).square().mean().backward())
    totals[name] = sum(one.device_time_total for one in kernels)
    for one in kernels[:10]:
        us = one.device_time_total
        kernel = one.key if len(one.key) <= 56 else one.key[:55] + "…"
        rows.append([name, kernel, f"{us:.0f}", f"{us / totals[name]:.0%}", one.count])
show(Table(["mode", "kernel", "µs", "share", "calls"], rows))
eager_us, compiled_us = totals.values()
# region checks
assert any(row[1].startswith("triton_") for row in rows if row[0] == "compiled")
# endregion
