# /// lesson
# needs = ["compiler"]
# ///
"""The comparison of backends needs a model that isn't compiled yet."""

import copy

import torch

from compile_lessons import Table, show


class Windows(torch.nn.Linear):
    def forward(self, x):
        return super().forward(x).unfold(0, 2, 1)


class Decorated(Windows):
    forward = torch.compile(Windows.forward)


def step(model):
    weights = torch.arange(6.0).reshape(3, 2)
    loss = (model(torch.ones(4)) * weights).sum()
    return torch.autograd.grad(loss, model.bias)[0]


def first_failure(model):
    expected = step(model)
    for backend in ("eager", "aot_eager", "inductor"):
        torch.compiler.reset()
        if not torch.equal(step(torch.compile(model, backend=backend)), expected):
            return backend
    return "none"


plain = Windows(4, 4)
in_place = Windows(4, 4)
in_place.compile()
decorated = Decorated(4, 4)
models = {"no": plain, "model.compile()": in_place, "@torch.compile": decorated}
rows = []
for name, model in models.items():
    rows.append([name, first_failure(model), first_failure(copy.deepcopy(model))])
show(Table(["already compiled", "first backend that fails", "with a copy"], rows))

# region checks
assert rows[0][1:] == ["aot_eager", "aot_eager"]
assert rows[1][1:] == ["none", "aot_eager"]
assert rows[2][1:] == ["eager", "eager"]
# endregion
