# /// lesson
# needs = ["gpu", "triton"]
# memory = 16384
# env = {TORCH_LOGS = "perf_hints", TORCH_LOGS_FORMAT = "%(message)s"}
# varies.output = ['/\S+/']
# ///
"""Which functions run without a CUDA graph: the log's reason, the counter, and the graphs that a call launches."""

import torch
from torch._dynamo.utils import counters
from torch.profiler import ProfilerActivity, profile

from compile_lessons import Table, show

state = torch.zeros(8, device="cuda")


def broken(x):
    y = x + 1
    torch._dynamo.graph_break()
    return y * 2


functions = {
    "returns a new tensor": lambda x: x + 1,
    "changes its argument": lambda x: x.add_(1),
    "changes a global tensor": lambda x: state.add_(x),
    "copies to the CPU": lambda x: (x * 2).cpu(),
    "has a graph break": broken,
}
rows = []
for name, function in functions.items():
    torch.compiler.reset()
    counters.clear()
    compiled = torch.compile(function, mode="reduce-overhead")
    for _ in range(3):
        compiled(torch.ones(8, device="cuda"))
    with profile(activities=[ProfilerActivity.CUDA], acc_events=True) as profiler:
        compiled(torch.ones(8, device="cuda"))
        torch.cuda.synchronize()
    launches = sum(one.count for one in profiler.key_averages() if one.key == "cudaGraphLaunch")
    rows.append([name, counters["inductor"]["cudagraph_skips"], launches])
show(Table(["the function", "skipped", "CUDA graphs a call"], rows))
# region checks
assert [row[1] for row in rows[:3]] == [0, 1, 1]
# endregion
