"""Change one thing at a time, to find out what the wrong gradient needs."""

import torch

from compile_lessons import Table, show


def windows_and_tensor(x):
    doubled = x * 2
    return doubled.unfold(0, 3, 1), doubled


cases = {
    "(x * 2).unfold(0, 3, 1)": lambda x: (x * 2).unfold(0, 3, 1),
    "(x * 2).unfold(0, 3, 3)": lambda x: (x * 2).unfold(0, 3, 3),
    "x.unfold(0, 3, 1)": lambda x: x.unfold(0, 3, 1),
    "(x * 2).unfold(0, 3, 1) * 1": lambda x: (x * 2).unfold(0, 3, 1) * 1,
    "(x * 2).unfold(0, 3, 1).clone()": lambda x: (x * 2).unfold(0, 3, 1).clone(),
    "(x * 2).as_strided((10, 3), (1, 1))": lambda x: (x * 2).as_strided(
        (10, 3), (1, 1)
    ),
    "(x * 2).unfold(0, 3, 1) and x * 2": windows_and_tensor,
    "(x * 2).expand(5, 12)": lambda x: (x * 2).expand(5, 12),
}


def first(result):
    return result[0] if isinstance(result, tuple) else result


def gradient(function):
    x = torch.linspace(0, 1, 12, requires_grad=True)
    y = first(function(x))
    incoming = torch.arange(float(y.numel())).view(y.shape)
    return torch.autograd.grad(y, x, incoming)[0]


rows = []
for name, function in cases.items():
    torch.compiler.reset()
    compiled = torch.compile(function, backend="aot_eager")
    matches = torch.allclose(gradient(compiled), gradient(function))
    strides = first(function(torch.ones(12))).stride()
    rows.append([name, str(strides), matches])
show(Table(["function", "strides of the result", "gradient matches"], rows))

# region checks
wrong = [row[0] for row in rows if not row[2]]
assert wrong == ["(x * 2).unfold(0, 3, 1)", "(x * 2).as_strided((10, 3), (1, 1))"]
# endregion
