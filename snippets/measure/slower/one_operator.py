# /// lesson
# needs = ["compiler"]
# data = ["_paired.py"]
# varies.output = ['\d[\d.,]*']
# varies.values = ["matmul_ratio", "softmax_ratio", "chain_ratio"]
# ///
"""A matmul, one operator that is already a fused kernel, and a chain of operators."""

import torch
from _paired import paired

from compile_lessons import Table, capture, show

functions = {
    "x @ x": lambda x: x @ x,
    "softmax": lambda x: x.softmax(-1),
    "a chain": lambda x: 0.5 * x * (1 + torch.tanh(0.79788 * (x + 0.044715 * x**3))),
}
x, rows, ratios, kinds = torch.randn(512, 512), [], {}, {}
for name, function in functions.items():
    with torch.inference_mode():
        kinds[name] = ", ".join(kernel.kind for kernel in capture(function)(x).kernels)
    us = paired({"eager": function, "compiled": torch.compile(function)}, x)
    ratios[name] = us["compiled"] / us["eager"]
    rows.append([name, kinds[name], f"{us['eager']:,.0f} µs", f"{us['compiled']:,.0f} µs", f"{ratios[name]:.2f}"])
show(Table(["function", "kernel", "eager", "compiled", "compiled / eager"], rows))
matmul_ratio, softmax_ratio, chain_ratio = ratios.values()

# region checks
assert kinds["x @ x"] == "extern" and kinds["softmax"] != "extern" != kinds["a chain"]
# endregion
