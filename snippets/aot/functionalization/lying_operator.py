"""A custom operator that hides its mutation."""

import torch

from compile_lessons import Table, show


# region operator
@torch.library.custom_op("lesson::bump", mutates_args=())  # wrong: it changes x
def bump(x: torch.Tensor) -> torch.Tensor:
    x.add_(1)
    return x.sum()


@bump.register_fake
def _(x):
    return x.new_empty(())


def bump_then_multiply(x):
    y = x * 1
    bump(y)
    return y * 10


# endregion
rows = [["not compiled", bump_then_multiply(torch.ones(1)).item()]]
for backend in ("eager", "aot_eager"):
    torch.compiler.reset()
    compiled = torch.compile(bump_then_multiply, backend=backend)
    rows.append([backend, compiled(torch.ones(1)).item()])
show(Table(["backend", "result"], rows))
# region checks
assert [row[1] for row in rows] == [20, 20, 10]
# endregion
