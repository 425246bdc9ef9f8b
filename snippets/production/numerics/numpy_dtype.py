"""Tensors that meet NumPy's arrays and numbers: the dtype or the type differs."""

import numpy as np
import torch

from compile_lessons import Table, show

positions = np.arange(8)
scale = np.float64(2.5)
tensor = torch.from_numpy(positions)  # outside the compiled function
number = float(scale)  # outside, too
x = torch.ones(4, 8)
counts = torch.arange(8)
programs = {
    "x * positions": lambda: x * positions,
    "counts * scale": lambda: counts * scale,
    "np.sqrt(x)": lambda: np.sqrt(x),
    "x * tensor": lambda: x * tensor,
    "counts * float(scale)": lambda: counts * number,
    "torch.sqrt(x)": lambda: torch.sqrt(x),
}


def kind(result):
    return f"{type(result).__name__}, {str(result.dtype).removeprefix('torch.')}"


rows = []
for name, function in programs.items():
    compiled = torch.compile(function, backend="eager")
    rows.append([name, kind(function()), kind(compiled())])
show(Table(["expression", "eager mode", "compiled"], rows))

# region checks
assert [eager == compiled for _, eager, compiled in rows] == [False] * 3 + [True] * 3
# endregion
