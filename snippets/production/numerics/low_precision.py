# /// lesson
# needs = ["compiler"]
# ///
"""A fused chain in 16 bits rounds once; eager mode rounds after each operator. Rewritten code rounds elsewhere."""

import torch
import torch.nn.functional as F

from compile_lessons import Table, show


def gate(x, y):
    return F.silu(x) * torch.tanh(y) + 0.5 * x


def scores(x, y):
    return torch.softmax(3 * x.view(16, -1), -1)


torch.manual_seed(0)
rows = []
for function, dtype in ((gate, torch.bfloat16), (gate, torch.float16), (scores, torch.bfloat16)):
    x, y = torch.randn(2, 1 << 14).to(dtype)
    exact, eager = function(x.double(), y.double()), function(x, y)
    torch.compiler.reset()
    fused = torch.compile(function)(x, y)
    torch.compiler.reset()
    emulated = torch.compile(function, options={"emulate_precision_casts": True})(x, y)
    for run, result in {"eager": eager, "compiled": fused, "emulate_precision_casts": emulated}.items():
        error = ((result - exact).norm() / exact.norm()).item()
        rows.append([function.__name__, str(dtype), run, f"{error:.1e}", torch.equal(result, eager)])
show(Table(["function", "dtype", "run", "relative error", "bitwise equal to eager"], rows))
# region checks
assert [row[4] for row in rows] == [True, False, True] * 2 + [True, False, False]
assert all(float(rows[i + 1][3]) < float(rows[i][3]) for i in (0, 3, 6)) and rows[8][3] == rows[7][3]
# endregion
