# /// lesson
# needs = ["gpu", "triton"]
# memory = 16384
# env = {TORCH_LOGS = "perf_hints", TORCH_LOGS_FORMAT = "%(message)s"}
# varies.output = ['/\S+/']
# ///
"""Which functions run without a CUDA graph, and the log's reason."""

import torch
from torch._dynamo.utils import counters  # private: torch has no public counter
from torch.profiler import ProfilerActivity, profile

from compile_lessons import Table, show

# region functions
state = torch.zeros(8, device="cuda")


def change_global(x):
    return state.add_(x)


def with_a_graph_break(x):
    y = x + 1
    torch._dynamo.graph_break()
    return y * 2


functions = {
    "returns a new tensor": lambda x: x + 1,
    "changes its argument": lambda x: x.add_(1),
    "changes a global tensor": change_global,
    "copies to the CPU": lambda x: (x * 2).cpu(),
    "has a graph break": with_a_graph_break,
}
# endregion


def graphs_launched(function):
    """Return how many CUDA graphs a call launches, by torch's profiler."""
    with profile(activities=[ProfilerActivity.CUDA], acc_events=True) as profiler:
        function(torch.ones(8, device="cuda"))
        torch.cuda.synchronize()
    events = profiler.key_averages()
    return sum(event.count for event in events if event.key == "cudaGraphLaunch")


rows = []
for name, function in functions.items():
    torch.compiler.reset()
    counters.clear()
    compiled = torch.compile(function, mode="reduce-overhead")
    for _ in range(3):
        compiled(torch.ones(8, device="cuda"))
    launched = graphs_launched(compiled)
    rows.append([name, counters["inductor"]["cudagraph_skips"], launched])
show(Table(["the function", "skipped", "CUDA graphs a call"], rows))
# region checks
assert [row[1] for row in rows[:3]] == [0, 1, 1]
# endregion
