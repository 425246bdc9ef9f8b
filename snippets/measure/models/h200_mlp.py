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

NAMES = {"nvjet": "matrix products", "GeluCUDA": "GELU, eager mode's", "triton": "GELU, Inductor's"}
NAMES |= {"multi_tensor": "copy of the input", "Memset": "memset"}
CALLS = 20


def kernels(function, x):
    """Return the µs of each kind of kernel in one call."""
    for _ in range(CALLS):
        inference(function, x)
    with profile(activities=[ProfilerActivity.CUDA], acc_events=True) as profiler:
        for _ in range(CALLS):
            inference(function, x)
        torch.cuda.synchronize()
    events = [event for event in profiler.key_averages() if event.device_type == DeviceType.CUDA]
    times = {event.key: event.device_time_total / CALLS for event in events}
    return {label: sum(us for key, us in times.items() if name in key) for name, label in NAMES.items()}


model, batch = build("MLP")
x, us = batch(4096), {}
for mode in ("eager", "default", "reduce-overhead"):
    us[mode] = kernels(model if mode == "eager" else torch.compile(model, mode=mode), x)
rows = [[label, *(f"{us[mode][label]:.1f}" for mode in us)] for label in NAMES.values()]
show(Table(["µs in a call", *us], [*rows, ["all", *(f"{sum(times.values()):.1f}" for times in us.values())]]))
# region checks
share, copy = us["default"]["matrix products"] / sum(us["default"].values()), us["reduce-overhead"]["copy of the input"]
eager_gelu, inductor_gelu = us["eager"]["GELU, eager mode's"], us["default"]["GELU, Inductor's"]
assert share > 0.6 and eager_gelu and inductor_gelu and us["default"]["copy of the input"] == 0 < copy
# endregion
