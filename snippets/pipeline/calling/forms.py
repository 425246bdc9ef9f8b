"""Four ways to ask for the same compilation."""

import torch

from compile_lessons import Table, show

graphs = []


def keep(graph_module, example_inputs):
    graphs.append(graph_module)
    return graph_module.forward


def scaled(x):
    return x.sin() * 2


class Scaled(torch.nn.Module):
    def forward(self, x):
        return x.sin() * 2


@torch.compile(backend=keep)
def decorated(x):
    return x.sin() * 2


in_place = Scaled()
in_place.compile(backend=keep)
x, rows = torch.linspace(-1, 1, 8), []
for form, held in {
    "@torch.compile": decorated,
    "torch.compile(function)": torch.compile(scaled, backend=keep),
    "torch.compile(module)": torch.compile(Scaled(), backend=keep),
    "module.compile()": in_place,
}.items():
    torch.compiler.reset()
    before = len(graphs)
    torch.testing.assert_close(held(x), scaled(x))
    rows.append([form, type(held).__name__, len(graphs) - before])

show(Table(["form", "what you hold then", "graphs of its first call"], rows))
forms = len(rows)
assert [row[1] for row in rows] == ["function", "function", "OptimizedModule", "Scaled"]
assert [row[2] for row in rows] == [1, 1, 1, 1]
