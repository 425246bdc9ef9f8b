# /// lesson
# needs = ["compiler"]
# timeout = 300
# ///
"""A custom operator that changes its argument and does not say so."""

import torch

from compile_lessons import Table, show


def add_one(x):
    x.add_(1)
    return x.clone()


@torch.library.custom_op("course::undeclared", mutates_args=())
def undeclared(x: torch.Tensor) -> torch.Tensor:
    return add_one(x)


@torch.library.custom_op("course::declared", mutates_args=("x",))
def declared(x: torch.Tensor) -> torch.Tensor:
    return add_one(x)


rows = []
for operator in (undeclared, declared):
    operator.register_fake(torch.empty_like)

    def model(x):
        y = x * 1
        return y + operator(y)  # noqa: B023

    torch.compiler.reset()
    rows.append([operator._name, model(torch.ones(1)).item(), torch.compile(model)(torch.ones(1)).item()])
show(Table(["operator", "eager", "compiled"], rows))

# region checks
assert [row[1:] for row in rows] == [[4.0, 3.0], [4.0, 4.0]]
# endregion
