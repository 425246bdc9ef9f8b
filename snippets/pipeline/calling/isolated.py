# /// lesson
# env = {TORCH_LOGS_FORMAT = "%(message)s"}
# ///
"""Two compilations of one function share its recompile limit, unless they are isolated."""

import torch
from torch._dynamo.testing import CompileCounter

from compile_lessons import Table, show


def scaled(x):
    return x.sin() * 2


x, rows = torch.ones(8), []
for isolated in (False, True):
    torch.compiler.reset()
    counter = CompileCounter()  # a backend that runs the graph as it is, and counts
    settings = {"backend": counter, "recompile_limit": 1, "isolate_recompiles": isolated}
    one, other = torch.compile(scaled, **settings), torch.compile(scaled, **settings)
    one(x)
    other(x.double())
    rows.append([f"isolate_recompiles={isolated}", counter.frame_count])

show(Table(["", "graphs"], rows))
shared_graphs, isolated_graphs = (row[1] for row in rows)
assert (shared_graphs, isolated_graphs) == (1, 2)
