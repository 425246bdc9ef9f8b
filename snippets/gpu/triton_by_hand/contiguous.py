# /// lesson
# needs = ["triton"]
# env = {TRITON_INTERPRET = "1"}
# ///
"""Vector add of tensors that aren't contiguous: the offsets point to the wrong elements."""

import torch
from add import add

from compile_lessons import Table, show

x, y = torch.arange(16.0).reshape(4, 4), 100 * torch.arange(16.0).reshape(4, 4)
half = torch.arange(32.0).reshape(4, 8).chunk(2, -1)[1]  # rows of 4, 8 elements apart
cases = {
    "add(x, y)": (x, y),
    "add(x, y.t())": (x, y.t()),
    "add(x, half)": (x, half),
    "add(x, half.contiguous())": (x, half.contiguous()),
}
rows = [[name, b.is_contiguous(), torch.equal(add(a, b), a + b)] for name, (a, b) in cases.items()]
show(Table(["call", "second input contiguous", "equal to the sum"], rows))
# region checks
assert [row[2] for row in rows] == [True, False, False, True]
# endregion
