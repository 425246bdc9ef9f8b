"""Four ways to ask for the same compilation."""

import torch

from compile_lessons import Table, show


def scaled(x):
    return x.sin() * 2


@torch.compile(backend="eager")
def decorated(x):
    return x.sin() * 2


called = torch.compile(scaled, backend="eager")
wrapped = torch.compile(torch.nn.Sequential(torch.nn.ReLU()), backend="eager")
in_place = torch.nn.Sequential(torch.nn.ReLU())
in_place.compile(backend="eager")

x = torch.linspace(-1, 1, 8)
rows = [
    ["@torch.compile", type(decorated).__name__, torch.equal(decorated(x), scaled(x))],
    ["torch.compile(function)", type(called).__name__, torch.equal(called(x), scaled(x))],
    ["torch.compile(module)", type(wrapped).__name__, torch.equal(wrapped(x), x.relu())],
    ["module.compile()", type(in_place).__name__, torch.equal(in_place(x), x.relu())],
]
show(Table(["form", "what you hold then", "same as eager"], rows))

forms = len(rows)
assert [row[1] for row in rows] == ["function", "function", "OptimizedModule", "Sequential"]
assert all(row[2] for row in rows)
assert called is not scaled and called._torchdynamo_orig_callable is scaled
