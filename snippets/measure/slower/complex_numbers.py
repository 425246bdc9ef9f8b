# /// lesson
# needs = ["compiler"]
# data = ["_paired.py"]
# varies.output = ['\d[\d.,]*']
# varies.values = ["product_ratio", "product_real_ratio", "chain_ratio", "chain_real_ratio"]
# ///
"""Complex numbers: Inductor calls eager mode's operators for them, unless you compute with their two parts."""

import torch
from _paired import paired
from torch._inductor import metrics

from compile_lessons import Table, show


def product(x, factor):
    return x * factor


def chain(x, factor):
    return ((x * factor + factor).abs() + 1e-6).log()


def product_real(x, factor):
    (a, b), (c, d) = (torch.view_as_real(z).unbind(-1) for z in (x, factor))
    return torch.view_as_complex(torch.stack([a * c - b * d, a * d + b * c], -1))


def chain_real(x, factor):
    (a, b), (c, d) = (torch.view_as_real(z).unbind(-1) for z in (x, factor))
    return (torch.sqrt((a * c - b * d + c) ** 2 + (a * d + b * c + d) ** 2) + 1e-6).log()


PAIRS = (product, product), (product, product_real), (chain, chain), (chain, chain_real)
if __name__ == "__main__":
    (x, factor), rows, ratios = torch.randn(2, 512, 512, dtype=torch.complex64).unbind(), [], []
    for eager, function in PAIRS:
        metrics.reset()
        us = paired({"eager": eager, "compiled": torch.compile(function)}, x, factor, calls=5)
        ratios.append(us["compiled"] / us["eager"])
        times = [f"{time:,.0f} µs" for time in us.values()]
        rows.append([function.__name__, metrics.generated_kernel_count, *times, f"{ratios[-1]:.2f}"])
    show(Table(["function", "kernels generated", "eager", "compiled", "compiled / eager"], rows))
    product_ratio, product_real_ratio, chain_ratio, chain_real_ratio = ratios
    # region checks
    assert [row[1] for row in rows] == [0, 1, 2, 1]
    for eager, function in PAIRS:
        torch.testing.assert_close(torch.compile(function)(x, factor), eager(x, factor))
    # endregion
