# /// lesson
# needs = ["compiler", "triton"]
# memory = 8192
# ///
"""A softmax and a transposed copy of its result, for the CPU and for an H200."""

import torch

from compile_lessons import Table, capture, show


def copied(x):
    return torch.softmax(x, -1).t().contiguous()


def view(x):
    return torch.softmax(x, -1).t()


x = torch.randn(1024, 1024)
rows = []
for function, target in [(copied, "cpu"), (view, "cpu"), (copied, "h200")]:
    pipeline = capture(function, target=target, machine_code=False)(x)
    [lowered] = pipeline.graphs[0].inductor
    moved = sum(kernel.bytes for kernel in lowered.kernels) / 1e6
    rows.append([function.__name__, target, len(lowered.fused), f"{moved:.1f} MB"])
show(Table(["function", "for", "loops after fusion", "moved"], rows))
# region checks
assert [row[2] for row in rows] == [2, 1, 1]
# endregion
