"""torch.compile reads the setting when it is called."""

import torch

from compile_lessons import Table, keep_graphs, show


def step(w):
    w.sin().sum().backward()


w = torch.ones(4, requires_grad=True)
late = keep_graphs()
compiled = torch.compile(step, backend=late)
torch._dynamo.config.compiled_autograd = True
compiled(w)  # too late: the setting was off when torch.compile was called

torch.compiler.reset()
w.grad = None
early = keep_graphs()
compiled = torch.compile(step, backend=early)
compiled(w)
rows = [
    ["torch.compile, then the setting", len(late.graphs)],
    ["the setting, then torch.compile", len(early.graphs)],
]
show(Table(["order", "graphs compiled"], rows))
# region checks
assert [row[1] for row in rows] == [1, 2]  # forward; forward and backward
# endregion
