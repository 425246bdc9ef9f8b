# /// lesson
# needs = ["gpu", "triton"]
# memory = 16384
# ///
"""Why compiling doesn't pay for the MLP at batch 4096: its kernels in each mode."""

import torch
from _models import build, inference
from torch.autograd import DeviceType
from torch.profiler import ProfilerActivity, profile

from compile_lessons import Table, show

#: Kinds of kernels, by a part of their names.
NAMES = {
    "nvjet": "matrix products",
    "GeluCUDA": "GELU, eager mode's",
    "triton": "GELU, Inductor's",
    "multi_tensor": "copy of the input",
    "Memset": "memset",
}
CALLS = 20


def kernels(function, x):
    """Return the µs of each kind of kernel in one call."""
    for _ in range(CALLS):
        inference(function, x)
    with profile(activities=[ProfilerActivity.CUDA], acc_events=True) as profiler:
        for _ in range(CALLS):
            inference(function, x)
        torch.cuda.synchronize()
    us = dict.fromkeys(NAMES.values(), 0.0)
    for event in profiler.key_averages():
        for part, kind in NAMES.items():
            if event.device_type == DeviceType.CUDA and part in event.key:
                us[kind] += event.device_time_total / CALLS
    return us


model, batch = build("MLP")
x = batch(4096)
us = {"eager": kernels(model, x)}
for mode in ("default", "reduce-overhead"):
    us[mode] = kernels(torch.compile(model, mode=mode), x)

rows = [[kind, *(f"{us[mode][kind]:.1f}" for mode in us)] for kind in NAMES.values()]
totals = {mode: sum(times.values()) for mode, times in us.items()}
rows.append(["all", *(f"{total:.1f}" for total in totals.values())])
show(Table(["µs in a call", *us], rows))
# region checks
share = us["default"]["matrix products"] / totals["default"]
copy = us["reduce-overhead"]["copy of the input"]
assert share > 0.6
assert us["eager"]["GELU, eager mode's"] > 0
assert us["default"]["GELU, Inductor's"] > 0
assert us["default"]["copy of the input"] == 0 < copy
# endregion
