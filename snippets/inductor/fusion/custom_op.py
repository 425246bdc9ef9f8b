# /// lesson
# needs = ["triton"]
# memory = 8192
# ///
"""An activation after a custom operator, and the same activation as plain PyTorch."""

import torch

from compile_lessons import Table, capture, show


def squared_relu(x):
    return torch.relu(x) ** 2


operator = torch.library.custom_op(
    "course::squared_relu", squared_relu, mutates_args=(), schema="(Tensor x) -> Tensor"
)
operator.register_fake(torch.empty_like)


# region functions
def before(x, bias):
    return torch.softmax(operator(x + bias), -1)


def after(x, bias):
    return torch.softmax(squared_relu(x + bias), -1)


# endregion
x = torch.randn(512, 1024)
bias = torch.randn(1024)
rows = []
for function in (before, after):
    kernels = capture(function, target="h200", machine_code=False)(x, bias).kernels
    moved = sum(kernel.bytes for kernel in kernels) / 1e6
    kinds = " ".join(kernel.kind for kernel in kernels)
    rows.append([function.__name__, len(kernels), kinds, f"{moved:.1f} MB"])
show(Table(["function", "kernels", "kinds", "moved"], rows))
# region checks
assert [row[1] for row in rows] == [3, 1]
# endregion
