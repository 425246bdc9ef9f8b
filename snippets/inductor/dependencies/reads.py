# /// lesson
# needs = ["compiler"]
# ///
"""How an operator reads its argument: one MemoryDep for each index, or a StarDep."""

import re

import torch

from compile_lessons import Table, capture, show

OPERATORS = {
    "x * 2": lambda x, i: x * 2,
    "x.sum(1)": lambda x, i: x.sum(1),
    "x.sum(0)": lambda x, i: x.sum(0),
    "x[::2] * 2": lambda x, i: x[::2] * 2,
    "x.diff(dim=0)": lambda x, i: x.diff(dim=0),
    "x[i] * 2": lambda x, i: x[i] * 2,
    "x @ x": lambda x, i: x @ x,
    "x.cumsum(0)": lambda x, i: x.cumsum(0),
}
READ_OF_X = re.compile(r"MemoryDep\('arg0_1', .*?}\)|StarDep\(name='arg0_1'.*?\)")
x = torch.randn(8, 8)
i = torch.tensor([3, 1])
rows = []
for name, operator in OPERATORS.items():
    [graph] = capture(operator, machine_code=False)(x, i).graphs
    node = graph.inductor[0].ir[0]
    for read in READ_OF_X.findall(node.text):
        rows.append([name, read])
show(Table(["operator", "read of x"], rows))
# region checks
assert [row[1].startswith("StarDep") for row in rows] == [False] * 7 + [True] * 2
assert rows[0][1] == rows[1][1] and "tmp0" in rows[6][1]
# endregion
