# /// lesson
# needs = ["gpu", "triton"]
# memory = 16384
# timeout = 300
# ///
"""Combo kernels: twenty small loops, which share no data, in few launches."""

from functools import partial

import torch
from torch.profiler import ProfilerActivity, profile
from triton.testing import do_bench

from compile_lessons import Table, show


def normalize_all(tensors):
    return [torch.softmax(tensor, -1) for tensor in tensors]


def kernels_of(compiled, tensors):
    compiled(tensors)
    with profile(activities=[ProfilerActivity.CUDA], acc_events=True) as profiler:
        compiled(tensors)
        torch.cuda.synchronize()
    averages = profiler.key_averages()
    return sum(one.count for one in averages if one.key.startswith("triton_"))


def milliseconds(function, *inputs):
    return do_bench(partial(function, *inputs), return_mode="median")


rows = []
for width in (64, 8192):
    tensors = [torch.randn(width + 8 * n, 512, device="cuda") for n in range(20)]
    for setting in (False, True):
        torch.compiler.reset()
        options = {"combo_kernels": setting}
        compiled = torch.compile(normalize_all, options=options, dynamic=False)
        kernels = kernels_of(compiled, tensors)
        torch.testing.assert_close(compiled(tensors), normalize_all(tensors))
        ms = milliseconds(compiled, tensors)
        rows.append([f"about {width} × 512", setting, kernels, f"{1e3 * ms:.0f} µs"])
show(Table(["each tensor", "combo_kernels", "kernels", "a call"], rows))
# region checks
assert rows[0][2] == 20
assert rows[1][2] < 20
# endregion
