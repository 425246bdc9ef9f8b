# /// lesson
# needs = ["triton"]
# memory = 8192
# ///
"""Writing a column in place: of an argument, of a temporary, and with torch.where."""

import torch

from compile_lessons import Table, capture, show


# region functions
def argument(x):
    x[:, 0] = float("-inf")
    return torch.softmax(x, -1)


def temporary(x):
    x = x * 0.125
    x[:, 0] = float("-inf")
    return torch.softmax(x, -1)


def where(x):
    first = torch.arange(x.shape[1]) == 0
    return torch.softmax(torch.where(first, float("-inf"), x), -1)


# endregion
x = torch.randn(512, 1024)
rows = []
for function in (argument, temporary, where):
    pipeline = capture(function, target="h200", machine_code=False)(x)
    decisions = pipeline.graphs[0].inductor[0].decisions
    reasons = [decision.reason for decision in decisions if not decision.fused]
    rows.append(
        [function.__name__, len(pipeline.kernels), "; ".join(dict.fromkeys(reasons))]
    )
show(Table(["function", "kernels", "why not fused"], rows))
# region checks
assert [row[1] for row in rows] == [2, 1, 1]
# endregion
