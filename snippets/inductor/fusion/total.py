# /// lesson
# needs = ["triton"]
# memory = 8192
# ///
"""A mean over everything next to statistics of each row, and the mean of the rows' means."""

import torch

from compile_lessons import Table, capture, show


def before(x):
    return x.amax(1), x.mean()


def after(x):
    return x.amax(1), x.mean(1).mean()


x, rows, kernels, moved = torch.randn(1024, 1024), [], [], []
for function in (before, after):
    pipeline = capture(function, target="h200", machine_code=False)(x)
    kernels.append(len(pipeline.kernels))
    moved.append(sum(kernel.bytes for kernel in pipeline.kernels) / 1e6)
    reasons = [d.reason for d in pipeline.graphs[0].inductor[0].decisions if not d.fused]
    rows.append([function.__name__, kernels[-1], f"{moved[-1]:.1f} MB", "; ".join(dict.fromkeys(reasons))])
show(Table(["function", "kernels", "moved", "reasons of the pairs not fused"], rows))
# region checks
torch.testing.assert_close(before(x), after(x))
assert kernels == [3, 2] and moved[0] > 1.9 * moved[1]
# endregion
