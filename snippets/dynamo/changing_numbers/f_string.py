"""Wrong: an f-string that contains only a number that changes."""

import torch

from compile_lessons import Table, show

names = {"3": "three", "5": "five", "6": "six"}


def text_of(x, n):
    return x * n, f"{n}"


def named(x, n):
    return x * n, names.get(f"{n}")


x = torch.ones(2)
rows = []
for function in (text_of, named):
    compiled = torch.compile(function, backend="eager")
    for n in (3, 5, 6):
        _, expected = function(x, n)
        _, result = compiled(x, n)
        rows.append([function.__name__, n, repr(expected), repr(result)])
show(Table(["function", "n", "eager mode", "compiled"], rows))

# region checks
assert [row[3] for row in rows] == ["'3'", "5", "6", "'three'", "None", "None"]
# endregion
