"""mark_dynamic: sizes 0 and 1 and a branch get their own versions; an == raises."""

import logging

import torch
from _count import compiles

from compile_lessons import Table, show

logging.getLogger("torch._guards").disabled = True  # logs the error as well


def marked(sizes):
    for size in sizes:
        x = torch.ones(size)
        torch._dynamo.mark_dynamic(x, 0)
        yield (x,)


functions = {
    "x * 2": (lambda x: x * 2, [10, 20, 30, 40]),
    "x * 2, with sizes 0 and 1": (lambda x: x * 2, [10, 20, 1, 0]),
    "if len(x) > 15": (lambda x: x * 2 if len(x) > 15 else x + 1, [10, 20, 30, 40]),
    "if len(x) == 10": (lambda x: x * 2 if len(x) == 10 else x + 1, [10, 20, 30, 40]),
}
rows = []
for name, (function, sizes) in functions.items():
    try:
        result = str(compiles(function, marked(sizes)))
    except torch.fx.experimental.symbolic_shapes.ConstraintViolationError as error:
        result = type(error).__name__
    rows.append([name, str(sizes), result])
show(Table(["function", "marked sizes", "compiles"], rows))
# region checks
assert [row[2] for row in rows] == ["1", "3", "2", "ConstraintViolationError"]
# endregion
