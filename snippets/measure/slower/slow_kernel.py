# /// lesson
# needs = ["compiler"]
# data = ["_paired.py"]
# varies.output = ['\d[\d.,]*']
# varies.values = ["ratio"]
# ///
"""Two operators whose compiled kernel is slower than eager mode's, and a setting."""

import torch
from _paired import paired

from compile_lessons import Table, capture, show


# region functions
def noise(x):
    return x + 0.1 * torch.randn_like(x)


def erfinv(x):
    return torch.erfinv(x) + 1


# endregion
x = torch.rand(256, 256)
eager_random = {"fallback_random": True}  # calls eager mode's random operators
rows = []
kernels = []
for function, options in [(noise, {}), (noise, eager_random), (erfinv, {})]:
    torch.compiler.reset()
    with torch.inference_mode():
        kernels.append(capture(function, options=options)(x).kernels)
    compiled = torch.compile(function, options=options)
    us = paired({"eager": function, "compiled": compiled}, x, calls=5)
    ratio = us["compiled"] / us["eager"]
    times = [f"{us['eager']:,.0f} µs", f"{us['compiled']:,.0f} µs", f"{ratio:.2f}"]
    rows.append([function.__name__, ", ".join(options), *times])
show(Table(["function", "option", "eager", "compiled", "compiled / eager"], rows))

# region checks
assert any("randn_cpu(" in kernel.source for kernel in kernels[0])  # one element a call
assert not any("randn_cpu(" in kernel.source for kernel in kernels[1])
assert "extern" in {kernel.kind for kernel in kernels[1]}
# endregion
