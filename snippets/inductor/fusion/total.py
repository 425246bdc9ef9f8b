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


rows = []
for shape in ((1024, 1024), (64, 65536)):
    x = torch.randn(shape)
    for function in (before, after):
        pipeline = capture(function, target="h200", machine_code=False)(x)
        times = sum(kernel.bytes for kernel in pipeline.kernels) / x.nbytes
        decisions = pipeline.graphs[0].inductor[0].decisions
        reasons = [decision.reason for decision in decisions if not decision.fused]
        name = f"{function.__name__}, {shape[0]} × {shape[1]}"
        rows.append([name, len(pipeline.kernels), f"{times:.1f}", "; ".join(dict.fromkeys(reasons))])
show(Table(["function", "kernels", "times x is read", "reasons of the pairs not fused"], rows))
# region checks
torch.testing.assert_close(before(x), after(x))
assert [row[1:3] for row in rows] == [[3, "2.0"], [2, "1.0"], [3, "1.0"], [4, "1.0"]]
# endregion
