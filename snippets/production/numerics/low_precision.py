# /// lesson
# needs = ["compiler"]
# ///
"""A fused chain in 16 bits rounds once; eager mode rounds after each operator."""

import torch
import torch.nn.functional as F

from compile_lessons import Table, show


def gate(x, y):
    return F.silu(x) * torch.tanh(y) + 0.5 * x


torch.manual_seed(0)
rows = []
for dtype in (torch.bfloat16, torch.float16):
    x, y = torch.randn(2, 1 << 14).to(dtype)
    exact, eager = gate(x.double(), y.double()), gate(x, y)
    torch.compiler.reset()
    fused = torch.compile(gate)(x, y)
    torch.compiler.reset()
    emulated = torch.compile(gate, options={"emulate_precision_casts": True})(x, y)
    for name, result in {"eager": eager, "compiled": fused, "emulate_precision_casts": emulated}.items():
        error = (result.double() - exact).abs().mean().item()
        rows.append([str(dtype), name, f"{error:.1e}", torch.equal(result, eager)])
show(Table(["dtype", "run", "mean error", "bitwise equal to eager"], rows))
# region checks
assert [row[3] for row in rows] == [True, False, True] * 2
assert all(float(rows[i + 1][2]) < float(rows[i][2]) for i in (0, 3))
# endregion
