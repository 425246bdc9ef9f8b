# /// lesson
# needs = ["compiler"]
# ///
"""Broadcasting and a transposed operand: each load has its own index."""

import torch

from compile_lessons import capture


def add(x, column, row, transposed):
    return x + column + row + transposed


x = torch.randn(8, 32, 64)
column = torch.randn(8, 1, 1)
row = torch.randn(64)
transposed = torch.randn(8, 64, 32).transpose(1, 2)
[graph] = capture(add, machine_code=False)(x, column, row, transposed).graphs
body = graph.inductor[0].ir[0].text.split("_loop_body:\n")[1]
print(body)
# region checks
assert "index1 = p0" in body
assert "index2 = p2" in body
assert "index3 = 2048*p0 + p1 + 32*p2" in body
# endregion
