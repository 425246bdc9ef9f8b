# /// lesson
# needs = ["gpu", "triton"]
# memory = 16384
# timeout = 300
# ///
"""The backends of max-autotune, and a cast of the weights inside of a matmul."""

from functools import partial

import torch
from torch.profiler import ProfilerActivity, profile
from triton.testing import do_bench

from compile_lessons import Table, show


def kernels_of(compiled, *inputs):
    """Return the names of the kernels of a call, by torch's profiler."""
    compiled(*inputs)
    with profile(activities=[ProfilerActivity.CUDA], acc_events=True) as profiler:
        compiled(*inputs)
        torch.cuda.synchronize()
    events = profiler.key_averages()
    names = [event.key for event in events if event.self_device_time_total]
    return [name for name in names if "Compiled" not in name]


def microseconds(function, *inputs):
    return do_bench(partial(function, *inputs), return_mode="median") * 1e3


# region backends
def layer(x, weight):
    return x @ weight.to(torch.bfloat16)


x = torch.randn(16, 8192, dtype=torch.bfloat16, device="cuda")
weight = torch.randint(-127, 128, (8192, 8192), dtype=torch.int8, device="cuda")
rows = []
for backends, prologue in (("ATEN", True), ("TRITON", False), ("TRITON", True)):
    torch.compiler.reset()
    options = {
        "max_autotune_gemm": True,
        "max_autotune_gemm_backends": backends,
        "prologue_fusion": prologue,
    }
    compiled = torch.compile(layer, options=options)
    result = compiled(x, weight)
    torch.testing.assert_close(result, layer(x, weight), rtol=0.02, atol=16)
    kernels = ", ".join(name[:60] for name in kernels_of(compiled, x, weight))
    us = microseconds(compiled, x, weight)
    rows.append([backends, prologue, kernels, f"{us:.0f} µs"])
show(Table(["backends", "prologue_fusion", "kernels", "a call"], rows))
# endregion
# region checks
assert "triton_poi" in rows[0][2]
# endregion
