# /// lesson
# needs = ["compiler"]
# ///
"""The strides in which an operator gets its inputs, in eager mode and by its tag."""

import torch
from torch import nn

from compile_lessons import Table, show

# the first one is the default of an operator without a tag
tags = ("exact_strides", "fixed_stride_order", "contiguous_strides")
tags = [*(f"needs_{name}" for name in tags), "flexible_layout"]
conv = nn.Conv2d(8, 16, 3)
strides = {}


def make_operator(tag):
    name = f"lesson::{tag}"

    @torch.library.custom_op(name, mutates_args=(), tags=[getattr(torch.Tag, tag)])
    def note_strides(x: torch.Tensor, case: str) -> torch.Tensor:
        strides[tag, case] = x.stride()
        return x.new_zeros(1)

    note_strides.register_fake(lambda x, case: x.new_empty(1))
    return note_strides


# region inputs
def inputs_of_operator(x, image):
    return {
        "transposed": torch.relu(x.t()),
        "columns": x[:, ::2],
        "expanded": torch.relu(x[:1]).expand(6, 8),
        "convolution": conv(image),
    }


def call_operators(operators, matrices, images):
    outputs = []
    for operator, x, image in zip(operators, matrices, images, strict=True):
        for case, value in inputs_of_operator(x, image).items():
            outputs.append(operator(value, case))
    return outputs


# endregion
operators = [make_operator(tag) for tag in tags]
matrices = [torch.randn(6, 8) for _ in tags]
images = [torch.randn(2, 8, 6, 6) for _ in tags]
with torch.no_grad():
    torch.compile(call_operators)(operators, matrices, images)
    eager = inputs_of_operator(matrices[0], images[0])
rows = [["(eager mode)", *(value.stride() for value in eager.values())]]
for tag in tags:
    rows.append([tag, *(strides[tag, case] for case in eager)])
show(Table(["tag", *eager], rows))
# region checks
in_eager_mode, exact, order, contiguous, flexible = [row[1:] for row in rows]
assert exact == in_eager_mode
assert order == [(1, 8), (8, 2), (1, 6), (256, 16, 4, 1)]
assert contiguous == [(6, 1), (4, 1), (8, 1), (256, 16, 4, 1)]
assert flexible == [*in_eager_mode[:3], (256, 1, 64, 16)]
# endregion
