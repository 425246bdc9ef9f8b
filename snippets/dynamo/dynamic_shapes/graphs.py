"""The same function with a fixed and with a dynamic size."""

import torch

from compile_lessons import keep_graphs


def double(x):
    return x.reshape(2, -1) * 2


kept = keep_graphs()
compiled = torch.compile(double, backend=kept)
compiled(torch.ones(32))
compiled(torch.ones(64))
compiled(torch.ones(128))
for graph in kept.graphs:
    graph.print_readable()

# region checks
inputs = [len(graph.graph.find_nodes(op="placeholder")) for graph in kept.graphs]
assert inputs == [1, 2]
# endregion
