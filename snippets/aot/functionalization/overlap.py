"""Arguments that overlap in part: a graph is reused for the wrong call; the fix."""

import torch

from compile_lessons import Table, show


# region functions
def bump_then_double(a, b):
    a.add_(1)
    return b * 2


def bump_then_double_slices(x):
    return bump_then_double(x[:4], x[2:])


def separate():
    return torch.zeros(6)[:4], torch.full((6,), 5.0)[2:]


def overlapping():
    x = torch.zeros(6)
    return x[:4], x[2:]


def one_tensor():
    return (torch.zeros(6),)


# endregion
def second_results(function, first, second):
    """Return the results of the second call, compiled and in eager mode."""
    torch.compiler.reset()
    compiled = torch.compile(function, backend="aot_eager")
    compiled(*first())
    results = [compiled(*second()), function(*second())]
    return [str(result.int().tolist()) for result in results]


then_overlapping = second_results(bump_then_double, separate, overlapping)
then_separate = second_results(bump_then_double, overlapping, separate)
inside = second_results(bump_then_double_slices, one_tensor, one_tensor)
rows = [
    ["separate, then overlapping", *then_overlapping],
    ["overlapping, then separate", *then_separate],
    ["one tensor, sliced inside", *inside],
]
show(Table(["calls", "compiled", "eager"], rows))
# region checks
assert [row[1] == row[2] for row in rows] == [False, False, True]
# endregion
