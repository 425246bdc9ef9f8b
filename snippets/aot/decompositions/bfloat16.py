# /// lesson
# needs = ["compiler"]
# ///
"""A chain of bfloat16 operators: Inductor rounds once, eager mode at each operator."""

import torch

from compile_lessons import Table, show


def model(x):
    for _ in range(6):
        x = torch.sin(x * 1.1) + 0.3 * x
    return x


torch.manual_seed(0)
x = torch.randn(1 << 16).bfloat16()
exact = model(x.double())
eager = model(x)
compiled = torch.compile(model)(x)
torch.compiler.reset()
# region copy
like_eager = {"emulate_precision_casts": True}  # to compare, not for production
compiled_like_eager = torch.compile(model, options=like_eager)
# endregion


def row(name, y):
    error = (y.double() - exact).abs().mean().item()
    return [name, f"{error:.1e}", torch.equal(y, eager)]


rows = [
    row("eager", eager),
    row("compiled", compiled),
    row("compiled, emulate_precision_casts", compiled_like_eager(x)),
]
show(Table(["run", "mean error against float64", "equal to eager mode"], rows))
# region checks
assert [row[2] for row in rows] == [True, False, True]
assert float(rows[1][1]) < 0.6 * float(rows[0][1])
# endregion
