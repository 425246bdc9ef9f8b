# /// lesson
# needs = ["compiler"]
# data = ["_paired.py"]
# varies.output = ['\d[\d.,]*']
# varies.values = ["noise_ratio", "erfinv_ratio", "fallback_ratio"]
# ///
"""Two operators whose compiled kernel is slower than eager mode's, and a setting that calls eager mode's."""

import torch
from _paired import paired

from compile_lessons import Table, capture, show


def noise(x):
    return x + 0.1 * torch.randn_like(x)


def erfinv(x):
    return torch.erfinv(x) + 1


x, rows, ratios, kernels = torch.rand(256, 256), [], [], []
for function, options in ((noise, {}), (erfinv, {}), (noise, {"fallback_random": True})):
    torch.compiler.reset()
    with torch.inference_mode():
        kernels.append(capture(function, options=options, machine_code=False)(x).kernels)
    us = paired({"eager": function, "compiled": torch.compile(function, options=options)}, x, calls=5)
    ratios.append(us["compiled"] / us["eager"])
    name = f"{function.__name__}, fallback_random" if options else function.__name__
    rows.append([name, f"{us['eager']:,.0f} µs", f"{us['compiled']:,.0f} µs", f"{ratios[-1]:.2f}"])
show(Table(["function", "eager", "compiled", "compiled / eager"], rows))
noise_ratio, erfinv_ratio, fallback_ratio = ratios

# region checks
assert any("randn_cpu(" in kernel.source for kernel in kernels[0])  # a scalar function, called per element
assert not any("randn_cpu(" in kernel.source for kernel in kernels[2])
assert "extern" in {kernel.kind for kernel in kernels[2]}
# endregion
