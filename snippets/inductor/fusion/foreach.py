# /// lesson
# needs = ["triton"]
# memory = 8192
# ///
"""A moving average of 20 parameters: a kernel for each, and one for all."""

import torch

from compile_lessons import Table, capture, show


def before(averages, parameters):
    for average, parameter in zip(averages, parameters, strict=True):
        average.lerp_(parameter, 0.01)


def after(averages, parameters):
    torch._foreach_lerp_(averages, parameters, 0.01)


rows, results = [], []
for function in (before, after):
    torch.manual_seed(0)
    parameters = [torch.randn(64, 64) for _ in range(20)]
    averages = [torch.zeros(64, 64) for _ in range(20)]
    pipeline = capture(function, target="h200", machine_code=False)(averages, parameters)
    decisions = pipeline.graphs[0].inductor[0].decisions
    rows.append([function.__name__, len(pipeline.kernels), len(decisions), sum(k.bytes for k in pipeline.kernels)])
    results.append(averages)
show(Table(["function", "kernels", "pairs considered", "bytes moved"], rows))
# region checks
torch.testing.assert_close(*results)
assert [row[1] for row in rows] == [20, 1] and rows[0][3] == rows[1][3]
# endregion
