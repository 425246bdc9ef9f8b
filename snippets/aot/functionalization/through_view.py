"""A change through a view becomes a new value of the whole tensor."""

import torch

from compile_lessons import capture


def raise_first_row(x):
    y = x * 1  # a new tensor, not an input
    row = y[0]
    row.add_(5)
    return y


pipeline = capture(raise_first_row, until="aot")(torch.ones(3, 2))
forward = pipeline.graphs[0].forward
print(forward.code)
# region checks
operators = [node.target for node in forward.calls]
assert "aten.select_scatter.default" in operators
assert "aten.add_.Tensor" not in operators
# endregion
