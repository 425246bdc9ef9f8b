# /// lesson
# needs = ["compiler"]
# ///
"""A chain of bfloat16 operators: Inductor rounds once, eager mode after each operator."""

import torch

from compile_lessons import Table, show


def model(x):
    for _ in range(6):
        x = torch.sin(x * 1.1) + 0.3 * x
    return x


torch.manual_seed(0)
x = torch.randn(1 << 16).bfloat16()
exact, eager = model(x.double()), model(x)
compiled = torch.compile(model)(x)
torch.compiler.reset()
# region copy
like_eager = torch.compile(model, options={"emulate_precision_casts": True})  # to compare, not for production
# endregion
emulated = like_eager(x)

results = {"eager": eager, "compiled": compiled, "compiled, emulate_precision_casts": emulated}
errors = [(y.double() - exact).abs().mean().item() for y in results.values()]
rows = [[n, f"{e:.1e}", torch.equal(y, eager)] for (n, y), e in zip(results.items(), errors, strict=True)]
show(Table(["run", "mean error against float64", "equal to eager mode"], rows))
# region checks
assert [row[2] for row in rows] == [True, False, True]
assert errors[1] < 0.6 * errors[0]
# endregion
