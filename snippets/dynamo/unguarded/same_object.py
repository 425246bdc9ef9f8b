"""An argument of the first call is also a global that the function uses."""

import enum

import torch

from compile_lessons import Table, show

# region functions
Mode = enum.Enum("Mode", ["SUM", "MAX"])
reductions = {Mode.SUM: torch.sum, Mode.MAX: torch.amax}
reductions_by_name = {"SUM": torch.sum, "MAX": torch.amax}
start = torch.ones(4)


def distance(now):
    return (now - start).sum()


def distance_of(now, first):
    return (now - first).sum()


def reduce_by_mode(x, mode):
    return reductions[mode](x)


def reduce_by_name(x, name):
    return reductions_by_name[name](x)


# endregion


def call_twice(function, first, second):
    compiled = torch.compile(function, backend="eager")
    compiled(*first)
    is_right = torch.equal(compiled(*second), function(*second))
    return [function.__name__, "right" if is_right else "wrong"]


x = torch.arange(4.0)
now = torch.zeros(4)
rows = [
    call_twice(distance, (start,), (now,)),
    call_twice(distance_of, (start, start), (now, start)),
    call_twice(reduce_by_mode, (x, Mode.SUM), (x, Mode.MAX)),
    call_twice(reduce_by_name, (x, "SUM"), (x, "MAX")),
]
show(Table(["function", "second call"], rows))

# region checks
assert [row[1] for row in rows] == ["wrong", "right", "wrong", "right"]
# endregion
