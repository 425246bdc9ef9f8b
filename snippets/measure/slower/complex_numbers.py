# /// lesson
# needs = ["compiler"]
# data = ["_paired.py"]
# varies.output = ['\d[\d.,]*']
# varies.values = ["product_ratio", "product_real_ratio"]
# ///
"""Complex numbers: eager mode's operators are called, unless you use their parts."""

import torch
from _paired import paired
from torch._inductor import metrics  # private: torch has no public count of kernels

from compile_lessons import Table, show


# region functions
def product(x, factor):
    return x * factor


def product_real(x, factor):
    a, b = torch.view_as_real(x).unbind(-1)
    c, d = torch.view_as_real(factor).unbind(-1)
    return torch.view_as_complex(torch.stack([a * c - b * d, a * d + b * c], -1))


def chain(x, factor):
    return ((x * factor + factor).abs() + 1e-6).log()


def chain_real(x, factor):
    a, b = torch.view_as_real(x).unbind(-1)
    c, d = torch.view_as_real(factor).unbind(-1)
    real = a * c - b * d + c
    imaginary = a * d + b * c + d
    return (torch.sqrt(real**2 + imaginary**2) + 1e-6).log()


# endregion


x, factor = torch.randn(2, 512, 512, dtype=torch.complex64)
rows = []
ratios = []
pairs = (
    (product, product),
    (product, product_real),
    (chain, chain),
    (chain, chain_real),
)
for eager, function in pairs:
    # private: the count begins anew
    metrics.reset()
    compiled = torch.compile(function)
    us = paired({"eager": eager, "compiled": compiled}, x, factor, calls=5)
    ratios.append(us["compiled"] / us["eager"])
    times = [f"{time:,.0f} µs" for time in us.values()]
    # private: see above
    kernels = metrics.generated_kernel_count
    torch.testing.assert_close(compiled(x, factor), eager(x, factor))
    rows.append([function.__name__, kernels, *times, f"{ratios[-1]:.2f}"])
columns = ["function", "kernels generated", "eager", "compiled", "compiled / eager"]
show(Table(columns, rows))
product_ratio = ratios[0]
product_real_ratio = ratios[1]

# region checks
assert [row[1] for row in rows] == [0, 1, 2, 1]
# endregion
