"""Change one thing at a time: the wrong gradient needs a computed value and overlapping windows, returned as a view."""

import torch

from compile_lessons import Table, show

cases = {
    "(x * 2).unfold(0, 3, 1)": lambda x: (x * 2).unfold(0, 3, 1),
    "(x * 2).unfold(0, 3, 3)": lambda x: (x * 2).unfold(0, 3, 3),
    "x.unfold(0, 3, 1)": lambda x: x.unfold(0, 3, 1),
    "(x * 2).unfold(0, 3, 1) * 1": lambda x: (x * 2).unfold(0, 3, 1) * 1,
    "(x * 2).unfold(0, 3, 1).clone()": lambda x: (x * 2).unfold(0, 3, 1).clone(),
    "(x * 2).as_strided((10, 3), (1, 1))": lambda x: (x * 2).as_strided((10, 3), (1, 1)),
    "(x * 2).unfold(0, 3, 1) and x * 2": lambda x: ((y := x * 2).unfold(0, 3, 1), y),
    "(x * 2).expand(5, 12)": lambda x: (x * 2).expand(5, 12),
}


def first(result):
    return result[0] if isinstance(result, tuple) else result


def gradient(function):
    x = torch.linspace(0, 1, 12, requires_grad=True)
    y = first(function(x))
    return torch.autograd.grad(y, x, torch.arange(float(y.numel())).view(y.shape))[0]


rows = []
for name, function in cases.items():
    torch.compiler.reset()
    compiled = torch.compile(function, backend="aot_eager")
    matches = torch.allclose(gradient(compiled), gradient(function))
    rows.append([name, str(first(function(torch.ones(12))).stride()), matches])
show(Table(["function", "strides of the result", "gradient matches"], rows))
# region checks
assert [row[2] for row in rows] == [False, True, True, True, True, False, True, True]
# endregion
