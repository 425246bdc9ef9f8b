# /// lesson
# env = {TORCH_LOGS = "-dynamo"}
# ///
"""Twelve calls, each with a new value: compiled, reused or eager?"""

import torch

from compile_lessons import Table

x = torch.ones(64)


class Scale(torch.nn.Module):
    def forward(self, x):
        return x * self.factor


def counting(graph_module, example_inputs):
    def run(*inputs):
        events.append("run")
        return graph_module.forward(*inputs)

    events.append("compile")
    return run


def set_factor(compiled, value):
    compiled.factor = value
    return compiled(x)


calls = {
    "int argument": (lambda x, n: x[:n], lambda f, i: f(x, i + 2)),
    "float argument": (lambda x, s: x * s, lambda f, i: f(x, i + 0.5)),
    "tensor size": (lambda x: x.sum(), lambda f, i: f(x[: i + 2])),
    "int attribute": (Scale(), lambda f, i: set_factor(f, i + 2)),
    "float attribute": (Scale(), lambda f, i: set_factor(f, i + 0.5)),
    "tensor attribute": (Scale(), lambda f, i: set_factor(f, torch.tensor(i))),
}
rows, compiles = [], {}
for name, (function, call) in calls.items():
    torch.compiler.reset()
    compiled, row = torch.compile(function, backend=counting), []
    for i in range(12):
        events = []
        call(compiled, i)
        row.append("C" if "compile" in events else "·" if events else "E")
    rows.append([name, *row])
    compiles[name] = row.count("C")

print(Table(["new value of", *map(str, range(1, 13))], rows))
int_argument, int_attribute = compiles["int argument"], compiles["int attribute"]
assert (int_argument, compiles["float argument"], compiles["tensor size"]) == (2, 2, 2)
assert int_attribute == 8 and rows[3][9:] == ["E"] * 4
assert compiles["tensor attribute"] == 1
