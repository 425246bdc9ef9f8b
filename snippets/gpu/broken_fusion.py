# /// lesson
# needs = ["triton"]
# memory = 8192
# ///
"""A print in the middle of a function costs a kernel, and a pass through the GPU's memory."""

import torch

from compile_lessons import Table, capture, show


def noisy(x):
    y = x * torch.sigmoid(1.702 * x)
    print("activated")
    return y + 1


def quiet(x):
    y = x * torch.sigmoid(1.702 * x)
    return y + 1


x = torch.randn(1 << 20)
pipelines = {function.__name__: capture(function, target="h200", machine_code=False)(x) for function in (noisy, quiet)}
rows = [
    [name, len(one.breaks), len(one.kernels), sum(kernel.bytes for kernel in one.kernels)]
    for name, one in pipelines.items()
]
show(Table(["function", "graph breaks", "kernels", "bytes moved"], rows))

noisy_kernels, quiet_kernels = rows[0][2], rows[1][2]
noisy_bytes, quiet_bytes = rows[0][3], rows[1][3]
# region checks
assert (noisy_kernels, quiet_kernels) == (2, 1)
assert noisy_bytes == 2 * quiet_bytes == 16 * x.numel()
# endregion
