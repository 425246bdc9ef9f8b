# /// lesson
# needs = ["triton"]
# memory = 8192
# ///
"""A moving average of 20 parameters: a kernel for each, and one for all."""

import torch

from compile_lessons import Table, capture, show


# region functions
def before(averages, parameters):
    for average, parameter in zip(averages, parameters, strict=True):
        average.lerp_(parameter, 0.01)


def after(averages, parameters):
    # no public name in this version; newer ones have torch.foreach
    torch._foreach_lerp_(averages, parameters, 0.01)


# endregion
parameters = [torch.randn(64, 64) for _ in range(20)]
rows = []
results = []
for function in (before, after):
    averages = [torch.zeros(64, 64) for _ in range(20)]
    capture_function = capture(function, target="h200", machine_code=False)
    pipeline = capture_function(averages, parameters)
    pairs = len(pipeline.graphs[0].inductor[0].decisions)
    moved = sum(kernel.bytes for kernel in pipeline.kernels)
    rows.append([function.__name__, len(pipeline.kernels), pairs, moved])
    results.append(averages)
show(Table(["function", "kernels", "pairs considered", "bytes moved"], rows))
# region checks
torch.testing.assert_close(*results)
assert [row[1] for row in rows] == [20, 1]
assert rows[0][3] == rows[1][3]
# endregion
