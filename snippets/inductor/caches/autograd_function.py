# /// lesson
# needs = ["compiler"]
# ///
"""An autograd.Function bypasses AOTAutograd's cache; a custom operator with the same gradient doesn't."""

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


@scale.register_fake
def _(x):
    return torch.empty_like(x)


scale.register_autograd(lambda ctx, gradient: gradient * 2)

x, rows = torch.ones(64, requires_grad=True), []
for name, function in (("autograd.Function", ScaleFunction.apply), ("custom operator", scale)):
    caches = capture(lambda x, function=function: function(x).sin(), machine_code=False)(x).caches
    [autograd] = [lookup for lookup in caches if lookup.cache == "AOTAutogradCache"]
    rows.append([name, autograd.state, autograd.key if autograd.state == "bypass" else "a key was made"])
show(Table(["gradient by", "AOTAutograd's cache", "reason"], [[*row[:2], row[2].splitlines()[0]] for row in rows]))
# region checks
assert [row[1] for row in rows] == ["bypass", "miss"]
# endregion
