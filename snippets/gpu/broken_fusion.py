# /// lesson
# needs = ["triton"]
# memory = 8192
# ///
"""A print in the middle of a function costs a kernel, and a pass through memory."""

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
pipelines = {
    function.__name__: capture(function, target="h200", machine_code=False)(x)
    for function in (noisy, quiet)
}
rows = []
for name, pipeline in pipelines.items():
    moved = sum(kernel.bytes for kernel in pipeline.kernels)
    rows.append([name, len(pipeline.breaks), len(pipeline.kernels), moved])
show(Table(["function", "graph breaks", "kernels", "bytes moved"], rows))

# region checks
noisy_row, quiet_row = rows
assert noisy_row[1:] == [1, 2, 16 * x.numel()]
assert quiet_row[1:] == [0, 1, 8 * x.numel()]
# endregion
