"""torch.compile reads the setting when it is called."""

import torch

from compile_lessons import Table, show


def step(w):
    w.sin().sum().backward()


def keep_graph(graph_module, example_inputs):
    graphs.append(graph_module)
    return graph_module.forward


w = torch.ones(4, requires_grad=True)
late, early = [], []
graphs = late
compiled = torch.compile(step, backend=keep_graph)
with torch._dynamo.config.patch(compiled_autograd=True):
    compiled(w)  # too late: the setting was off when torch.compile was called
    torch.compiler.reset()
    graphs, w.grad = early, None
    torch.compile(step, backend=keep_graph)(w)
rows = [["torch.compile, then the setting", len(late)], ["the setting, then torch.compile", len(early)]]
show(Table(["order", "graphs compiled"], rows))
# region checks
assert (len(late), len(early)) == (1, 2)  # forward; forward and backward
# endregion
