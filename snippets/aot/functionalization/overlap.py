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
for dynamic in (False, True):
    for first, then in ((separate, overlapping), (overlapping, separate)):
        torch.compiler.reset()
        compiled = torch.compile(bump_then_double, backend="aot_eager", dynamic=dynamic)
        compiled(*first())
        result, expected = compiled(*then()).tolist(), bump_then_double(*then()).tolist()
        rows.append([f"{first.__name__}, then {then.__name__}", dynamic, str(result), str(expected)])
    compiled = torch.compile(bump_then_double_slices, backend="aot_eager", dynamic=dynamic)
    result, expected = compiled(torch.zeros(6)).tolist(), bump_then_double_slices(torch.zeros(6)).tolist()
    rows.append(["one tensor, sliced inside", dynamic, str(result), str(expected)])
show(Table(["calls", "dynamic", "compiled", "eager"], rows))
# region checks
assert [row[2] == row[3] for row in rows] == [False, False, True] * 2
# endregion
