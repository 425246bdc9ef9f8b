# /// lesson
# needs = ["triton"]
# memory = 8192
# ///
"""A mean of everything beside statistics of rows, and the mean of the rows' means."""

import torch

from compile_lessons import Table, capture, show


# region functions
def before(x):
    return x.amax(1), x.mean()


def after(x):
    return x.amax(1), x.mean(1).mean()


# endregion
def row(function, x):
    pipeline = capture(function, target="h200", machine_code=False)(x)
    times_read = sum(kernel.bytes for kernel in pipeline.kernels) / x.nbytes
    decisions = pipeline.graphs[0].inductor[0].decisions
    reasons = [decision.reason for decision in decisions if not decision.fused]
    unique_reasons = "; ".join(dict.fromkeys(reasons))
    name = f"{function.__name__}, {x.shape[0]} × {x.shape[1]}"
    return [name, len(pipeline.kernels), f"{times_read:.1f}", unique_reasons]


many_rows = torch.randn(1024, 1024)
few_rows = torch.randn(64, 65536)
rows = [row(function, x) for x in (many_rows, few_rows) for function in (before, after)]
show(Table(["function", "kernels", "times x is read", "reasons if not fused"], rows))
# region checks
torch.testing.assert_close(before(few_rows), after(few_rows))
assert [row[1:3] for row in rows] == [[3, "2.0"], [2, "1.0"], [3, "1.0"], [4, "1.0"]]
# endregion
