# /// lesson
# needs = ["compiler"]
# ///
"""One operator, seven layouts: the loops, and the index expression of the load."""

import re

import torch

from compile_lessons import Table, capture, show


def loops_and_index(function, x):
    [graph] = capture(function, machine_code=False)(x).graphs
    return re.findall(r"(?:var_ranges|index0) = (.+)", graph.inductor[0].ir[0].text)


x = torch.randn(8, 32, 64)
inputs = {
    "contiguous": x,
    "transposed": x.transpose(1, 2),
    "channels last": torch.randn(8, 64, 4, 8).to(memory_format=torch.channels_last),
    "every second row": x[:, ::2],
    "columns 3 to 59": x[:, :, 3:60],
    "expanded": torch.randn(32, 1).expand(8, 32, 64),
}
rows = []
for name, value in inputs.items():
    rows.append([name, list(value.stride()), *loops_and_index(torch.relu, value)])
flipped = loops_and_index(lambda x: x.flip(1).relu(), x)
rows.append(["flipped by the function", list(x.stride()), *flipped])
show(Table(["input", "strides", "loops", "index of the load"], rows))
# region checks
assert [row[3] for row in rows[:3]] == ["p0"] * 3
assert rows[3][2:] == ["{p0: 128, p1: 64}", "128*p0 + p1"]
assert rows[4][3] == "64*p0 + p1"
assert rows[5][3] == "p1"
assert "- 64*p1" in rows[6][3]
# endregion
