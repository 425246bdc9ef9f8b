# /// lesson
# needs = ["compiler"]
# ///
"""The strides of the gradient that a custom operator's backward pass gets."""

import torch

from compile_lessons import Table, show

strides = []


# region operator
@torch.library.custom_op("lesson::copy", mutates_args=())
def copy(x: torch.Tensor) -> torch.Tensor:
    return x.clone(memory_format=torch.contiguous_format)


@torch.library.custom_op("lesson::copy_backward", mutates_args=())
def copy_backward(gradient: torch.Tensor) -> torch.Tensor:
    strides.append(gradient.stride())
    return gradient.clone(memory_format=torch.contiguous_format)


copy.register_fake(lambda x: x.new_empty(x.shape))
copy_backward.register_fake(lambda gradient: gradient.new_empty(gradient.shape))
copy.register_autograd(lambda ctx, gradient: copy_backward(gradient))


def sum_inside(x):
    return copy(x).sum()


# endregion
def gradient_strides(function):
    x = torch.randn(6, 8, requires_grad=True)
    function(x).sum().backward()
    return strides.pop()


rows = []
for name, function in {"inside": sum_inside, "outside": copy}.items():
    compiled = torch.compile(function)
    rows.append([name, gradient_strides(function), gradient_strides(compiled)])
show(Table(["sum of the compiled function", "eager mode", "compiled"], rows))
# region checks
assert [row[1:] for row in rows] == [[(0, 0), (0, 0)], [(0, 0), (8, 1)]]
# endregion
