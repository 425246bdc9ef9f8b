# /// lesson
# needs = ["compiler"]
# ///
"""The comparison of backends needs a model that is not compiled yet: a copy undoes model.compile()."""

import copy

import torch

from compile_lessons import Table, show


class Windows(torch.nn.Linear):
    def forward(self, x):
        return super().forward(x).unfold(0, 2, 1)


class Decorated(Windows):
    forward = torch.compile(Windows.forward)


def step(model):
    return torch.autograd.grad((model(x) * weights).sum(), model.bias)[0]


def first_failure(model):
    expected = step(model)
    for backend in ["eager", "aot_eager", "inductor"]:
        torch.compiler.reset()
        if not torch.equal(step(torch.compile(model, backend=backend)), expected):
            return backend
    return "none"


x, weights, rows = torch.ones(4), torch.arange(6.0).reshape(3, 2), []
models = {"no": Windows(4, 4), "model.compile()": Windows(4, 4), "@torch.compile": Decorated(4, 4)}
models["model.compile()"].compile()
for name, model in models.items():
    rows.append([name, first_failure(model), first_failure(copy.deepcopy(model))])
show(Table(["already compiled", "first backend that fails", "with a copy"], rows))
# region checks
assert [row[1:] for row in rows] == [["aot_eager"] * 2, ["none", "aot_eager"], ["eager", "eager"]]
# endregion
