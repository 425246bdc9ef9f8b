# /// lesson
# needs = ["compiler"]
# ///
"""A custom operator that reads a global tensor sees an old value; as an argument, the tensor is up to date."""

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


by_global.register_fake(torch.empty_like)
by_argument.register_fake(lambda x, level: torch.empty_like(x))
rows = []
for function in (with_global, with_argument):
    outcomes = []
    for run in (function, torch.compile(function, backend="aot_eager"), torch.compile(function)):
        torch.compiler.reset()
        level.fill_(1.0)
        outcomes.append(run(torch.ones(1)).item())
    rows.append([function.__name__, *outcomes])
show(Table(["function", "eager mode", "aot_eager", "Inductor"], rows))
# region checks
assert [row[1:] for row in rows] == [[7, 1, 1], [7, 7, 7]]
# endregion
