"""A custom operator reads a copy of what it changes, and Inductor removes the copy."""

import torch

from compile_lessons import Table, show


# region operator
@torch.library.custom_op("lesson::reverse_into", mutates_args={"target"})  # correct
def reverse_into(source: torch.Tensor, target: torch.Tensor) -> None:
    for index in range(len(source)):
        target[-1 - index] = source[index]


def reverse(x):
    source = x.clone()
    reverse_into(source, x)
    return x * 10


def reverse_fixed(x):
    target = torch.empty_like(x)
    reverse_into(x, target)
    x.copy_(target)
    return x * 10


torch.library.opcheck(reverse_into, (torch.arange(4.0), torch.zeros(4)))  # no error
# endregion
rows = [["reverse", "not compiled", reverse(torch.arange(4.0)).tolist()]]
for function, backend in [
    (reverse, "aot_eager"),
    (reverse, "inductor"),
    (reverse_fixed, "inductor"),
]:
    torch.compiler.reset()
    compiled = torch.compile(function, backend=backend, fullgraph=True)
    rows.append([function.__name__, backend, compiled(torch.arange(4.0)).tolist()])
show(Table(["function", "backend", "result"], rows))
# region checks
right = [30.0, 20.0, 10.0, 0.0]
assert [row[2] == right for row in rows] == [True, True, False, True]
# endregion
