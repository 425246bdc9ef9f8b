# /// lesson
# needs = ["compiler"]
# ///
"""A fused chain in 16 bits rounds once; eager mode rounds after each operator."""

import torch
import torch.nn.functional as F

from compile_lessons import Table, show


# region functions
def gate(x, y):
    return F.silu(x) * torch.tanh(y) + 0.5 * x


def scores(x, y):
    return torch.softmax(3 * x.view(16, -1), -1)


# endregion
torch.manual_seed(0)
emulate = {"emulate_precision_casts": True}
cases = [(gate, torch.bfloat16), (gate, torch.float16), (scores, torch.bfloat16)]
rows = []
for function, dtype in cases:
    torch.compiler.reset()
    x, y = torch.randn(2, 1 << 14).to(dtype)
    exact = function(x.double(), y.double())
    eager = function(x, y)
    results = {
        "eager": eager,
        "compiled": torch.compile(function)(x, y),
        "emulate_precision_casts": torch.compile(function, options=emulate)(x, y),
    }
    for run, result in results.items():
        error = (result - exact).norm() / exact.norm()
        same = torch.equal(result, eager)
        rows.append([function.__name__, str(dtype), run, f"{error:.1e}", same])
columns = ["function", "dtype", "run", "relative error", "equal to eager"]
show(Table(columns, rows))

# region checks
assert [row[4] for row in rows[:6]] == [True, False, True] * 2
assert [row[4] for row in rows[6:]] == [True, False, False]
assert all(float(rows[i + 1][3]) < float(rows[i][3]) for i in (0, 3, 6))
assert rows[8][3] == rows[7][3]
# endregion
