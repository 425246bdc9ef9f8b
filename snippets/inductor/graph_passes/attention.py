# /// lesson
# needs = ["compiler"]
# ///
"""Six ways to write attention, and whether Inductor recognizes them."""

import math

import torch

from compile_lessons import Table, capture, show


# region forms
def attention(q, k, v, mask, scores):
    return torch.softmax(scores(q, k, mask), dim=-1) @ v


def divided(q, k, mask):
    return q @ k.transpose(-2, -1) / math.sqrt(32)


def scaled(q, k, mask):
    return q @ k.transpose(-2, -1) * 32**-0.5


def masked(q, k, mask):
    return divided(q, k, mask) + mask


def scaled_query(q, k, mask):
    return (q * 32**-0.5) @ k.transpose(-2, -1)


def masked_fill(q, k, mask):
    return divided(q, k, mask).masked_fill(mask < 0, -math.inf)


def einsum(q, k, mask):
    return torch.einsum("bhqd,bhkd->bhqk", q, k) / math.sqrt(32)


# endregion
forms = {
    "scores / sqrt(d)": divided,
    "scores * scale": scaled,
    "scores / sqrt(d) + mask": masked,
    "(q * scale) @ k": scaled_query,
    "masked_fill": masked_fill,
    "einsum": einsum,
}
q, k, v = torch.randn(3, 2, 4, 64, 32)
mask = torch.full((64, 64), -1e9).triu(1)


def short_name(kernel):
    part = -2 if "aten" in kernel.name else -1
    return kernel.name.split(".")[part].replace("_scaled_dot_product_", "")


def row(form, scores):
    with torch.no_grad():
        kernels = capture(attention, machine_code=False)(q, k, v, mask, scores).kernels
    names = [short_name(kernel) for kernel in kernels]
    calls = [name for name in names if "cpp_fused" not in name]
    recognized = "yes" if any("attention" in name for name in calls) else "no"
    return [form, recognized, " ".join(calls), len(names) - len(calls)]


rows = [row(form, scores) for form, scores in forms.items()]
show(Table(["attention with", "recognized", "library calls", "C++ kernels"], rows))
# region checks
assert [row[1] for row in rows] == ["yes"] * 3 + ["no"] * 3
# endregion
