# /// lesson
# needs = ["compiler"]
# ///
"""A changing float that is both a factor and the bound of clamp: from the third value on, the second value is used."""

import torch

from compile_lessons import Table, show


def limited(x, limit):
    return (x * limit).clamp(max=2 * limit)


limits, x = (1.0, 2.0, 3.0, 4.0), torch.full((1,), 8.0)
rows = [["float, eager mode", *(limited(x, limit).item() for limit in limits)]]
for name, kind in (("float, compiled", float), ("tensor, compiled", torch.tensor)):
    compiled = torch.compile(limited)
    rows.append([name, *(compiled(x, kind(limit)).item() for limit in limits)])
    torch.compiler.reset()
show(Table(["limit is a", *(f"limit {limit:.0f}" for limit in limits)], rows))
# region checks
assert [row[1:] == rows[0][1:] for row in rows] == [True, False, True]
# endregion
