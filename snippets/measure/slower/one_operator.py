# /// lesson
# needs = ["compiler"]
# data = ["_paired.py"]
# varies.output = ['\d[\d.,]*']
# varies.values = ["ratio"]
# ///
"""A matmul, one operator that is already a fused kernel, and a chain of operators."""

import torch
from _paired import paired

from compile_lessons import Table, capture, show


# region functions
def matmul(x):
    return x @ x


def softmax(x):
    return x.softmax(-1)


def chain(x):
    return 0.5 * x * (1 + torch.tanh(0.79788 * (x + 0.044715 * x**3)))


# endregion
x = torch.randn(512, 512)
rows = []
for function in (matmul, softmax, chain):
    with torch.inference_mode():
        kernels = capture(function)(x).kernels
    kinds = ", ".join(kernel.kind for kernel in kernels)
    us = paired({"eager": function, "compiled": torch.compile(function)}, x)
    ratio = us["compiled"] / us["eager"]
    times = [f"{us['eager']:,.0f} µs", f"{us['compiled']:,.0f} µs", f"{ratio:.2f}"]
    rows.append([function.__name__, kinds, *times])
show(Table(["function", "kernel", "eager", "compiled", "compiled / eager"], rows))

# region checks
kinds = [row[1] for row in rows]
assert kinds[0] == "extern"
assert "extern" not in kinds[1:]
# endregion
