# /// lesson
# needs = ["gpu", "triton"]
# memory = 32768
# ///
"""One training step of a transformer block, compiled: its kernels by time."""

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
    kernels = [
        event
        for event in profiler.key_averages()
        if event.device_type == DeviceType.CUDA and event.device_time_total
    ]
    kernels = [kernel for kernel in kernels if not kernel.is_user_annotation]
    return sorted(kernels, key=lambda kernel: -kernel.device_time_total)


# endregion
x = torch.randn(8, 2048, 2048, device="cuda", dtype=torch.bfloat16)
block = Block().cuda().bfloat16()
rows = []
totals = {}
for mode, module in {"eager": block, "compiled": torch.compile(block)}.items():
    kernels = profiled(lambda module=module: module(x).square().mean().backward())
    totals[mode] = sum(kernel.device_time_total for kernel in kernels)
    for kernel in kernels[:10]:
        us = kernel.device_time_total
        name = kernel.key if len(kernel.key) <= 56 else kernel.key[:55] + "…"
        rows.append([mode, name, f"{us:.0f}", f"{us / totals[mode]:.0%}", kernel.count])
show(Table(["mode", "kernel", "µs", "share", "calls"], rows))
eager_us, compiled_us = totals.values()
# region checks
compiled_kernels = [name for mode, name, *_ in rows if mode == "compiled"]
assert any(name.startswith("triton_") for name in compiled_kernels)
# endregion
