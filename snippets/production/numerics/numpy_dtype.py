"""Tensors that meet NumPy's arrays and numbers: the dtype or the type of the result differs from eager mode."""

import numpy as np
import torch

from compile_lessons import Table, show

positions, scale = np.arange(8), np.float64(2.5)
tensor, number = torch.from_numpy(positions), float(scale)  # outside the compiled function
x, counts = torch.ones(4, 8), torch.arange(8)
programs = {
    "x * positions": (lambda x: x * positions, x),
    "counts * scale": (lambda counts: counts * scale, counts),
    "np.sqrt(x)": (lambda x: np.sqrt(x), x),
    "x * tensor": (lambda x: x * tensor, x),
    "counts * float(scale)": (lambda counts: counts * number, counts),
    "torch.sqrt(x)": (lambda x: torch.sqrt(x), x),
}


def kind(result):
    return f"{type(result).__name__}, {str(result.dtype).removeprefix('torch.')}"


rows = []
for name, (function, argument) in programs.items():
    compiled = torch.compile(function, backend="eager")
    rows.append([name, kind(function(argument)), kind(compiled(argument))])
show(Table(["expression", "eager mode", "compiled"], rows))
# region checks
assert [eager == compiled for _, eager, compiled in rows] == [False] * 3 + [True] * 3
# endregion
