# /// lesson
# needs = ["compiler"]
# timeout = 300
# env = {KINETO_LOG_LEVEL = "99"}
# varies.output = ['(?s).+']
# ///
"""Launch and wait of two all-reduces on a time axis, by torch's profiler."""

import torch
import torch.distributed as dist
from _ranks import on_two_ranks
from torch.profiler import profile

from compile_lessons import show
from compile_lessons.show.charts import Timeline


# region block
def block(x, attention, up, down):
    first = x @ attention
    dist.all_reduce(first)
    second = (x @ up).relu() @ down
    dist.all_reduce(second)
    return x + first + second


REORDER = "reorder_for_compute_comm_overlap"
settings = {
    "default": {},
    "sink_waits": {REORDER: True, f"{REORDER}_passes": ["sink_waits"]},
}


# endregion
# region measure
def measure(rank):
    """Return the events of the shortest of several calls, for each setting."""
    x = torch.randn(8192, 256)
    sizes = [(256, 256), (256, 512), (512, 256)]
    weights = [torch.randn(size, requires_grad=True) for size in sizes]
    shortest = {}
    for setting, options in settings.items():
        compiled = torch.compile(block, options=options)
        compiled(x, *weights)
        calls = []
        for _ in range(5):
            dist.barrier()
            with profile(acc_events=True) as profiler:
                compiled(x, *weights)
            calls.append(profiler.events())
        shortest[setting] = min(calls, key=length)
    return shortest


def length(events):
    start = min(event.time_range.start for event in events)
    return max(event.time_range.end for event in events) - start


# endregion
# region lanes
KINDS = {
    "_c10d_functional::all_reduce_": "launch",
    "aten::mm": "matmul",
    "gloo:all_reduce": "all-reduce",
    "_c10d_functional::wait_tensor": "wait",
}


def lanes(setting, events):
    """Return what ran in rank 0's thread, and in the threads of gloo, in seconds."""
    events = [event for event in events if event.name in KINDS]
    begin = min(event.time_range.start for event in events)
    thread = []
    gloo = []
    for event in sorted(events, key=lambda event: event.time_range.start):
        lane = gloo if event.name.startswith("gloo") else thread
        start = (event.time_range.start - begin) / 1e6
        end = (event.time_range.end - begin) / 1e6
        lane.append((KINDS[event.name], start, end))
    return [(f"{setting}: rank 0", thread), (f"{setting}: gloo", gloo)]


# endregion
drawn = []
for setting, events in on_two_ranks(measure).items():
    drawn += lanes(setting, events)
show(Timeline(list(KINDS.values()), drawn))
# region checks
orders = [[kind for kind, *_ in spans] for _, spans in drawn]
first = ["matmul", "launch", "wait", "matmul", "matmul", "launch", "wait"]
sunk = ["matmul", "launch", "matmul", "matmul", "wait", "launch", "wait"]
assert orders == [first, ["all-reduce"] * 2, sunk, ["all-reduce"] * 2]
# endregion
