# /// lesson
# needs = ["compiler"]
# ///
"""Numbers that float8 can't hold, converted on a CPU in eager mode and compiled."""

import torch

from compile_lessons import Table, show


def convert(x, dtype):
    return x.to(dtype).float()


x = torch.tensor([448.0, 480.0, -500.0, 60000.0, float("inf")])
rows = []
for dtype in (torch.float8_e4m3fn, torch.float8_e5m2):
    for mode, run in (("eager", convert), ("compiled", torch.compile(convert))):
        values = [f"{value:g}" for value in run(x, dtype).tolist()]
        rows.append([str(dtype).removeprefix("torch."), mode, *values])
show(Table(["dtype", "mode", *(f"{value:g}" for value in x.tolist())], rows))
# region checks
assert rows[0][2:] == rows[1][2:]
assert rows[2][2:] == rows[3][2:]
# endregion
