# /// lesson
# needs = ["compiler"]
# ///
"""Change an operator's gradient, and compile again with the same cache folder."""

import torch
from torch._dynamo.utils import counters  # private: torch has no public counter

from compile_lessons import Table, show


# region operator
def define(name, factor):
    @torch.library.custom_op(name, mutates_args=())
    def scale(x: torch.Tensor) -> torch.Tensor:
        return x * factor

    scale.register_fake(torch.empty_like)
    scale.register_autograd(lambda ctx, gradient: gradient * factor)
    return scale


changes = [
    ("(first compile)", "lesson::scale", 2.0),
    ("the factor", "lesson::scale", 3.0),
    ("the name", "lesson::scale_by_3", 3.0),
]
# endregion


def value_and_gradient(function):
    x = torch.ones(8, requires_grad=True)
    y = function(x)
    y.sum().backward()
    return [y[0].item(), x.grad[0].item()]


rows = []
for change, name, factor in changes:
    torch.compiler.reset()  # as a new process does: nothing in memory, files on disk
    counters.clear()
    function = define(name, factor)
    compiled = value_and_gradient(torch.compile(function))
    eager = value_and_gradient(function)
    hit = counters["aot_autograd"]["autograd_cache_hit"]
    rows.append([change, "hit" if hit else "miss", *eager, *compiled])
columns = ["eager: value", "gradient", "compiled: value", "gradient"]
show(Table(["changed", "cache", *columns], rows))
# region checks
first, stale, renamed = [row[1:] for row in rows]
assert first == ["miss", 2, 2, 2, 2]
assert renamed == ["miss", 3, 3, 3, 3]
assert stale == ["hit", 3, 3, 3, 2]  # the gradient of the first operator
# endregion
