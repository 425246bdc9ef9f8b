"""In the first call an argument is also a global that the function uses; in the second it is not."""

import enum

import torch

from compile_lessons import Table, show

Mode = enum.Enum("Mode", ["SUM", "MAX"])
reduce = {Mode.SUM: torch.sum, Mode.MAX: torch.amax}
reduce_by_name = {"SUM": torch.sum, "MAX": torch.amax}
x, start, other = torch.arange(4.0), torch.ones(4), torch.zeros(4)

programs = {
    "a tensor": (lambda now: (now - start).sum(), [(start,), (other,)]),
    "both tensors are arguments": (lambda now, first: (now - first).sum(), [(start, start), (other, start)]),
    "an object, compared with is": (lambda x, now: x + (now is start), [(x, start), (x, other)]),
    "an Enum member, as a key": (lambda x, mode: reduce[mode](x), [(x, Mode.SUM), (x, Mode.MAX)]),
    "its name, as a key": (lambda x, name: reduce_by_name[name](x), [(x, "SUM"), (x, "MAX")]),
}
rows = []
for name, (function, calls) in programs.items():
    compiled = torch.compile(function, backend="eager")
    pairs = [(function(*call), compiled(*call)) for call in calls]
    rows.append([name, *("right" if torch.equal(*pair) else "wrong" for pair in pairs)])
show(Table(["argument", "first call", "second call"], rows))
# region checks
assert [row[2] for row in rows] == ["wrong", "right", "wrong", "wrong", "right"]
# endregion
