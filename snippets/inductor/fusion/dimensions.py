# /// lesson
# needs = ["triton"]
# memory = 8192
# ///
"""Sums over rows and over columns, of a small tensor and of a large one."""

import torch

from compile_lessons import Table, capture, show


# region function
def both(x):
    return x.sum(1), x.sum(0)


# endregion
rows = []
for size in [(1024, 1024), (8192, 1024)]:
    pipeline = capture(both, target="h200", machine_code=False)(torch.ones(size))
    decision = pipeline.graphs[0].inductor[0].decisions[0]
    rows.append([str(size), len(pipeline.kernels), decision.fused, decision.reason])
show(Table(["size", "Triton kernels", "fused", "reason"], rows))
# region checks
assert [row[1:3] for row in rows] == [[3, False], [1, True]]
# endregion
