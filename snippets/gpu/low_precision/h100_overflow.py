# /// lesson
# needs = ["gpu", "triton"]
# ///
"""Numbers that float8 can't hold, converted on a GPU in eager mode and compiled."""

import torch

from compile_lessons import Table, show


def convert(x, dtype):
    return x.to(dtype).float()


x = torch.tensor([448.0, 480.0, -500.0, 60000.0, float("inf")], device="cuda")
rows = []
for dtype in (torch.float8_e4m3fn, torch.float8_e5m2):
    compiled = torch.compile(convert, dynamic=False)
    for mode, run in (("eager", convert), ("compiled", compiled)):
        values = [f"{value:g}" for value in run(x, dtype).tolist()]
        rows.append([str(dtype).removeprefix("torch."), mode, *values])
show(Table(["dtype", "mode", *(f"{value:g}" for value in x.tolist())], rows))
# region checks
eager_row, compiled_row, *_ = rows
assert eager_row[3] == "nan"
assert compiled_row[3] == "448"
# endregion
