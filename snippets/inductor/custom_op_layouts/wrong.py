# /// lesson
# needs = ["compiler"]
# ///
"""A kernel that expects contiguous memory, called with other strides."""

import torch
from torch import nn

from compile_lessons import Table, show

conv = nn.Conv2d(8, 16, 3)


# region kernel
def double_in_memory_order(x):
    # what a C function does with x.data_ptr() and x.numel()
    numbers = x.as_strided((x.numel(),), (1,))
    return (numbers * 2).view(x.shape)


def double_contiguous(x):
    return double_in_memory_order(x.contiguous())


# endregion
def make_operator(name, kernel, *tags):
    schema = "(Tensor x) -> Tensor"
    operator = torch.library.custom_op(
        f"lesson::{name}", kernel, mutates_args=(), schema=schema, tags=tags
    )
    operator.register_fake(lambda x: x.new_empty(x.shape))
    return operator


flexible = torch.Tag.flexible_layout
contiguous = torch.Tag.needs_contiguous_strides
operators = {
    "no tag": make_operator("no_tag", double_in_memory_order),
    "flexible_layout": make_operator("flexible", double_in_memory_order, flexible),
    "needs_contiguous_strides": make_operator(
        "needs_contiguous", double_in_memory_order, contiguous
    ),
    ".contiguous() in the kernel": make_operator("calls", double_contiguous),
}


def call_operators(x, image):
    return [[op(x.t()), op(conv(image))] for op in operators.values()]


x = torch.randn(6, 8)
image = torch.randn(2, 8, 6, 6)
with torch.no_grad():
    right = [x.t() * 2, conv(image) * 2]
    results = [call_operators(x, image), torch.compile(call_operators)(x, image)]
rows = []
for number, name in enumerate(operators):
    row = [name]
    for case in (0, 1):
        for result in results:
            row.append(torch.allclose(result[number][case], right[case], atol=1e-5))
    rows.append(row)
columns = ["x.t(): eager right", "compiled right", "conv(image): eager right"]
show(Table(["operator", *columns, "compiled right"], rows))
# region checks
assert [row[1:] for row in rows] == [
    [False, False, True, True],
    [False, False, True, False],
    [False, True, True, True],
    [True, True, True, True],
]
# endregion
