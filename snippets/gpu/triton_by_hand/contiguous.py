# /// lesson
# needs = ["triton"]
# env = {TRITON_INTERPRET = "1"}
# ///
"""Vector add of tensors that aren't contiguous: offsets point to the wrong elements."""

import torch
from add import add

from compile_lessons import Table, show

x = torch.arange(16.0).reshape(4, 4)
y = 100 * x
half = torch.arange(32.0).reshape(4, 8).chunk(2, -1)[1]  # rows of 4, 8 elements apart
cases = {
    "add(x, y)": y,
    "add(x, y.t())": y.t(),
    "add(x, half)": half,
    "add(x, half.contiguous())": half.contiguous(),
}
rows = []
for call, second in cases.items():
    right = torch.equal(add(x, second), torch.add(x, second))
    rows.append([call, second.is_contiguous(), right])
show(Table(["call", "second input contiguous", "equal to the sum"], rows))
# region checks
assert [row[2] for row in rows] == [True, False, False, True]
# endregion
