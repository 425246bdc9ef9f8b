# /// lesson
# needs = ["compiler"]
# varies.output = ['USDT:.*\n']
# ///
"""Allocations and peak memory of one call: eager, compiled, without reuse, and with a pool."""

import os

import torch
from torch.profiler import ProfilerActivity, profile

from compile_lessons import Table, show

layers = [torch.randn(256, 256) for _ in range(4)]
os.environ["KINETO_LOG_LEVEL"] = "99"  # no messages of the profiler


def network(x):
    for weight in layers:
        x = torch.nn.functional.gelu(x @ weight) + x
    return x


settings = {
    "compiled": None,
    "allow_buffer_reuse=False": {"allow_buffer_reuse": False},
    "inplace_buffers=False": {"inplace_buffers": False},
    "both False": {"allow_buffer_reuse": False, "inplace_buffers": False},
    "memory_planning=True": {"memory_planning": True},
}
runs = {"eager": network} | {name: torch.compile(network, options=options) for name, options in settings.items()}
x, rows = torch.randn(1024, 256), []  # 1 MiB
for name, run in runs.items():
    run(x)
    with profile(activities=[ProfilerActivity.CPU], profile_memory=True) as recorded:
        result = run(x)
    sizes = [event.nbytes() for event in recorded.profiler.kineto_results.events() if event.name() == "[memory]"]
    peak = max(sum(sizes[: n + 1]) for n in range(len(sizes)))
    rows.append([name, sum(size > 0 for size in sizes), f"{peak / 2**20:.0f} MiB"])
show(Table(["run", "allocations", "peak"], rows))
# region checks
assert [row[1] for row in rows] == [12, 2, 4, 3, 8, 2]
assert [row[2][0] for row in rows] == ["3", "2", "2", "3", "3", "3"]
# endregion
