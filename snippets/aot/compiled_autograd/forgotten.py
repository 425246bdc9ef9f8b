"""Three ways to set the option, one of them without effect."""

import torch
import torch._dynamo.compiled_autograd
from torch._dynamo.testing import CompileCounter

from compile_lessons import Table, show


def step(w):
    w.sin().sum().backward()


option = torch._dynamo.config.patch(compiled_autograd=True)
w = torch.ones(4, requires_grad=True)
late, early, enabled = (CompileCounter() for _ in range(3))

compiled = torch.compile(step, backend=late)
with option:
    compiled(w)
torch.compiler.reset()
with option:
    torch.compile(step, backend=early)(w)
torch.compiler.reset()
with torch._dynamo.compiled_autograd._enable(torch.compile(backend=enabled)):
    step(w)

late_graphs, early_graphs, enabled_graphs = (counter.frame_count for counter in (late, early, enabled))
rows = [
    ["torch.compile, then the option", late_graphs],
    ["the option, then torch.compile", early_graphs],
    ["step not compiled, _enable", enabled_graphs],
]
show(Table(["", "graphs compiled"], rows))
assert (late_graphs, early_graphs, enabled_graphs) == (1, 2, 1)
