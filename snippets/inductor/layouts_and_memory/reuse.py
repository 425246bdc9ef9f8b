# /// lesson
# needs = ["compiler"]
# varies.output = ['USDT:.*\n']
# ///
"""Allocations and peak memory: eager, compiled, without reuse, and with a pool."""

import os
from itertools import accumulate

import torch
from torch.profiler import ProfilerActivity, profile

from compile_lessons import Table, show

layers = [torch.randn(256, 256) for _ in range(4)]
os.environ["KINETO_LOG_LEVEL"] = "99"  # no messages of the profiler


def network(x):
    for weight in layers:
        x = torch.nn.functional.gelu(x @ weight) + x
    return x


def sizes_allocated(run, x):
    """Return the bytes that one call allocates; what it frees is negative."""
    with profile(activities=[ProfilerActivity.CPU], profile_memory=True) as recorded:
        result = run(x)  # noqa: F841 (a result that is freed would be in the sizes)
    events = recorded.profiler.kineto_results.events()
    return [event.nbytes() for event in events if event.name() == "[memory]"]


# region settings
settings = {
    "compiled": {},
    "allow_buffer_reuse=False": {"allow_buffer_reuse": False},
    "inplace_buffers=False": {"inplace_buffers": False},
    "both False": {"allow_buffer_reuse": False, "inplace_buffers": False},
    "memory_planning=True": {"memory_planning": True},
}
# endregion
runs = {"eager": network}
for name, options in settings.items():
    runs[name] = torch.compile(network, options=options)
x = torch.randn(1024, 256)  # 1 MiB
rows = []
for name, run in runs.items():
    run(x)
    sizes = sizes_allocated(run, x)
    allocations = sum(size > 0 for size in sizes)
    peak = max(accumulate(sizes))
    rows.append([name, allocations, f"{peak / 2**20:.0f} MiB"])
show(Table(["run", "allocations", "peak"], rows))
# region checks
assert [row[1] for row in rows] == [12, 2, 4, 3, 8, 2]
assert [row[2][0] for row in rows] == ["3", "2", "2", "3", "3", "3"]
# endregion
