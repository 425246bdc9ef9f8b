# /// lesson
# needs = ["compiler"]
# ///
"""An operator that reads a global tensor sees an old value; an argument is current."""

import torch

from compile_lessons import Table, show

level = torch.ones(1)


@torch.library.custom_op("course::by_global", mutates_args=())
def by_global(x: torch.Tensor) -> torch.Tensor:
    return x * level


@torch.library.custom_op("course::by_argument", mutates_args=())
def by_argument(x: torch.Tensor, level: torch.Tensor) -> torch.Tensor:
    return x * level


def with_global(x):
    level.fill_(7.0)
    return by_global(x)


def with_argument(x):
    level.fill_(7.0)
    return by_argument(x, level)


def result(function):
    torch.compiler.reset()
    level.fill_(1.0)
    return function(torch.ones(1)).item()


by_global.register_fake(torch.empty_like)
by_argument.register_fake(lambda x, level: torch.empty_like(x))
rows = []
for function in (with_global, with_argument):
    by_aot = torch.compile(function, backend="aot_eager")
    outcomes = map(result, [function, by_aot, torch.compile(function)])
    rows.append([function.__name__, *outcomes])
show(Table(["function", "eager mode", "aot_eager", "Inductor"], rows))

# region checks
assert [row[1:] for row in rows] == [[7, 1, 1], [7, 7, 7]]
# endregion
