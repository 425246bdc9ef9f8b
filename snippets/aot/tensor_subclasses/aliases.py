"""Views and shared memory of a wrapper, and return_and_correct_aliasing."""

import torch
from _wrapper import Wrapped
from torch.utils._python_dispatch import return_and_correct_aliasing

from compile_lessons import Table, show


class Corrected(Wrapped):
    @classmethod
    def __torch_dispatch__(cls, operator, types, args, kwargs=None):
        result = super().__torch_dispatch__(operator, types, args, kwargs)
        return return_and_correct_aliasing(operator, args, kwargs or {}, result)


# region functions
def double_then_view(a, b):
    a.mul_(2)
    return a[:2]


def add_then_read(a, b):
    a.add_(1)
    return b * 1


# endregion
def output_and_argument(function, kind):
    base = torch.ones(3)
    output = function(kind(base), kind(base))  # two wrappers of one tensor
    output.mul_(10)
    return f"{output.inner.tolist()}, {base.tolist()}"


rows = []
for function in (double_then_view, add_then_read):
    compiled = torch.compile(function, backend="aot_eager")
    for kind in (Wrapped, Corrected):
        results = [output_and_argument(run, kind) for run in (function, compiled)]
        rows.append([function.__name__, kind.__name__, *results])
show(Table(["function", "class", "eager: output and argument", "compiled"], rows))
# region checks
assert [row[2] == row[3] for row in rows] == [False, True, False, False]
# endregion
