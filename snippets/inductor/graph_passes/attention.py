# /// lesson
# needs = ["compiler"]
# ///
"""Six ways to write attention, and whether Inductor recognizes them."""

import math

import torch

from compile_lessons import Table, capture, show


def attention(scores, change=lambda scores: scores):
    def forward(q, k, v, mask):
        return torch.softmax(change(scores(q, k, mask)), dim=-1) @ v

    return forward


def divided(q, k, mask):
    return q @ k.transpose(-2, -1) / math.sqrt(32)


cases = {
    "scores / sqrt(d)": attention(divided),
    "scores * scale": attention(lambda q, k, mask: q @ k.transpose(-2, -1) * 32**-0.5),
    "scores / sqrt(d) + mask": attention(lambda q, k, mask: divided(q, k, mask) + mask),
    "(q * scale) @ k": attention(lambda q, k, mask: (q * 32**-0.5) @ k.transpose(-2, -1)),
    "masked_fill": attention(lambda q, k, m: divided(q, k, m).masked_fill(m < 0, -math.inf)),
    "einsum": attention(lambda q, k, m: torch.einsum("bhqd,bhkd->bhqk", q, k) / math.sqrt(32)),
}
q, k, v = (torch.randn(2, 4, 64, 32) for _ in range(3))
mask, rows = torch.full((64, 64), -1e9).triu(1), []
with torch.no_grad():
    for case, function in cases.items():
        kernels = capture(function, machine_code=False)(q, k, v, mask).kernels
        calls = [kernel.name.split(".")[-2 if "aten" in kernel.name else -1] for kernel in kernels]
        names = [name.replace("_scaled_dot_product_", "") for name in calls if "cpp_fused" not in name]
        recognized = any("attention" in name for name in names)
        rows.append([case, "yes" if recognized else "no", " ".join(names), len(calls) - len(names)])
show(Table(["attention with", "recognized", "library calls", "C++ kernels"], rows))
# region checks
assert [row[1] for row in rows] == ["yes"] * 3 + ["no"] * 3
# endregion
