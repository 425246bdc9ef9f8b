"""Arguments that overlap in part: a graph that is reused for the wrong call, and the fix."""

import torch

from compile_lessons import Table, show


def bump_then_double(a, b):
    a.add_(1)
    return b * 2


def bump_then_double_slices(whole):
    return bump_then_double(whole[:4], whole[2:])


def overlapping():
    whole = torch.zeros(6)
    return whole[:4], whole[2:]


def separate():
    return torch.zeros(6)[:4], torch.full((6,), 5.0)[2:]


rows = []
for first, then in ((separate, overlapping), (overlapping, separate)):
    compiled = torch.compile(bump_then_double, backend="aot_eager")
    compiled(*first())
    found, expected = compiled(*then()).tolist(), bump_then_double(*then()).tolist()
    rows.append([f"{first.__name__}, then {then.__name__}", str(found), str(expected)])
    torch.compiler.reset()
found = torch.compile(bump_then_double_slices, backend="aot_eager")(torch.zeros(6)).tolist()
rows.append(["one tensor, sliced inside", str(found), str(bump_then_double_slices(torch.zeros(6)).tolist())])
show(Table(["calls", "compiled", "eager"], rows))
# region checks
assert [row[1] == row[2] for row in rows] == [False, False, True]
# endregion
