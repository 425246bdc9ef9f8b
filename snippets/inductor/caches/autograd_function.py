# /// lesson
# needs = ["compiler"]
# ///
"""An autograd.Function bypasses AOTAutograd's cache; a custom operator doesn't."""

import torch

from compile_lessons import Table, capture, show


class ScaleFunction(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        return x * 2

    @staticmethod
    def backward(ctx, gradient):
        return gradient * 2


@torch.library.custom_op("lesson::scale", mutates_args=())
def scale(x: torch.Tensor) -> torch.Tensor:
    return x * 2


scale.register_fake(torch.empty_like)
scale.register_autograd(lambda ctx, gradient: gradient * 2)


def by_function(x):
    return ScaleFunction.apply(x).sin()


def by_operator(x):
    return scale(x).sin()


x = torch.ones(64, requires_grad=True)
rows = []
for function in (by_function, by_operator):
    caches = capture(function, machine_code=False)(x).caches
    [lookup] = [lookup for lookup in caches if lookup.cache == "AOTAutogradCache"]
    reason = lookup.key.splitlines()[0] if lookup.state == "bypass" else ""
    rows.append([function.__name__, lookup.state, reason])
show(Table(["gradient", "AOTAutograd's cache", "reason"], rows))
# region checks
assert [row[1] for row in rows] == ["bypass", "miss"]
# endregion
