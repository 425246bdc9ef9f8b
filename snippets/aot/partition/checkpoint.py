"""torch.utils.checkpoint inside a compiled function."""

import torch
from torch.utils.checkpoint import checkpoint

from compile_lessons import Table, capture, show


# region functions
def block(x, w):
    return torch.relu(torch.tanh(x @ w) @ w)


def plain(x, w):
    return block(x, w).sum()


def checkpointed(x, w):
    return checkpoint(block, x, w, use_reentrant=False).sum()


# endregion
x = torch.ones(4, 4, requires_grad=True)
w = torch.ones(4, 4, requires_grad=True)
rows = []
for function in (plain, checkpointed):
    [graph] = capture(function, fullgraph=True, until="aot")(x, w).graphs
    saved = ", ".join(value.name for value in graph.saved)
    matmuls = sum(node.target == "aten.mm.default" for node in graph.backward.calls)
    rows.append([function.__name__, saved, matmuls])
show(Table(["function", "saved", "matmuls in the backward graph"], rows))
# region checks
assert rows[1][1] == "primals_1, primals_2"
assert [row[2] for row in rows] == [4, 6]
# endregion
