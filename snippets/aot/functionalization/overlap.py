"""Arguments that overlap in part: a graph that is reused for the wrong call, and the fix."""

import torch

from compile_lessons import Table, show


def bump_then_double(a, b):
    a.add_(1)
    return b * 2


def bump_then_double_slices(x):
    return bump_then_double(x[:4], x[2:])


arguments = {
    "separate": lambda: (torch.zeros(6)[:4], torch.full((6,), 5.0)[2:]),
    "overlapping": lambda: ((x := torch.zeros(6))[:4], x[2:]),
    "one tensor": lambda: (torch.zeros(6),),
}


def second_result(function, first, then, dynamic=None):
    torch.compiler.reset()
    compiled = torch.compile(function, backend="aot_eager", dynamic=dynamic)
    compiled(*arguments[first]())
    return [str([int(number) for number in call(*arguments[then]())]) for call in (compiled, function)]


rows = [
    ["separate, then overlapping", *second_result(bump_then_double, "separate", "overlapping")],
    ["overlapping, then separate", *second_result(bump_then_double, "overlapping", "separate")],
    ["one tensor, sliced inside", *second_result(bump_then_double_slices, "one tensor", "one tensor")],
]
show(Table(["calls", "compiled", "eager"], rows))
# region checks
assert [row[1] == row[2] for row in rows] == [False, False, True]
for first, then in (("separate", "overlapping"), ("overlapping", "separate")):
    for dynamic in (False, True):
        compiled, eager = second_result(bump_then_double, first, then, dynamic)
        assert compiled != eager
# endregion
