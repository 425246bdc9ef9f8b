"""A Python int that changes is a symbol too, an int attribute of a module is not."""

import torch

from compile_lessons import Table, show


class Head(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.n = 0

    def forward(self, x):
        return x[: self.n].sum()


def head(x, n):
    return x[:n].sum()


graphs = []


def keep_graph(graph_module, example_inputs):
    graphs.append(graph_module)
    return graph_module.forward


x, rows = torch.ones(64), []
compiled = torch.compile(head, backend=keep_graph)
for n in range(20):
    compiled(x, n)
arguments = len(graphs)

graphs.clear()
module = Head()
compiled = torch.compile(module, backend=keep_graph)
for module.n in range(2, 8):
    compiled(x)
attributes = len(graphs)

show(Table(["n is", "values", "compiles"], [["an argument", 20, arguments], ["an attribute", 6, attributes]]))
assert (arguments, attributes) == (2, 6)
