"""Four ways to ask for the same compilation."""

import torch
from torch._dynamo.testing import CompileCounter

from compile_lessons import Table, show


class Scaled(torch.nn.Module):
    def forward(self, x):
        return x.sin() * 2


counter = CompileCounter()  # a backend that runs the graph as it is, and counts


@torch.compile(backend=counter)
def decorated(x):
    return x.sin() * 2


in_place = Scaled()
in_place.compile(backend=counter)
x, rows = torch.linspace(-1, 1, 8), []
for form, held in {
    "@torch.compile": decorated,
    "torch.compile(function)": torch.compile(lambda x: x.sin() * 2, backend=counter),
    "torch.compile(module)": torch.compile(Scaled(), backend=counter),
    "module.compile()": in_place,
}.items():
    torch.compiler.reset()
    counter.clear()
    torch.testing.assert_close(held(x), x.sin() * 2)
    rows.append([form, type(held).__name__, isinstance(held, Scaled), counter.frame_count])

show(Table(["form", "what you hold then", "is a Scaled", "graphs of its first call"], rows))
forms = len(rows)
assert [row[1] for row in rows] == ["function", "function", "OptimizedModule", "Scaled"]
assert [row[2:] for row in rows] == [[False, 1]] * 3 + [[True, 1]]
