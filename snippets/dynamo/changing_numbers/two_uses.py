# /// lesson
# needs = ["compiler"]
# ///
"""A float with two uses: from the third value on, the second value is used."""

import torch

from compile_lessons import Table, show


def scale_and_clip(x, limit):
    return (x * limit).clamp(max=2 * limit)


x = torch.full((1,), 8.0)
compiled = torch.compile(scale_and_clip)
rows = []
for limit in (1.0, 2.0, 3.0, 4.0):
    rows.append([limit, scale_and_clip(x, limit).item(), compiled(x, limit).item()])

# the same calls, with the limit as a tensor
torch.compiler.reset()
for row in rows:
    limit = torch.tensor(row[0])
    row.append(compiled(x, limit).item())
show(Table(["limit", "eager mode", "compiled, float", "compiled, tensor"], rows))

# region checks
eager = [row[1] for row in rows]
assert [row[2] for row in rows[:2]] == eager[:2]
assert [row[2] for row in rows[2:]] == [eager[1]] * 2  # twice the second limit
assert [row[3] for row in rows] == eager
# endregion
