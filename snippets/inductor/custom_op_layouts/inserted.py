# /// lesson
# needs = ["compiler"]
# ///
"""An operator that a graph pass inserts: without a tag, its inputs have any strides."""

import torch
from torch import nn

from compile_lessons import Table, show

aten = torch.ops.aten
conv = nn.Conv2d(8, 16, 3)
strides = []


def make_operator(name, *tags):
    @torch.library.custom_op(f"lesson::{name}", mutates_args=(), tags=tags)
    def relu(x: torch.Tensor) -> torch.Tensor:
        strides.append(x.stride())
        return x.relu()

    relu.register_fake(torch.empty_like)
    return getattr(torch.ops.lesson, name).default


# region pass
def insert(operator):
    def replace_relu(graph):
        for node in graph.find_nodes(op="call_function", target=aten.relu.default):
            node.target = operator

    return replace_relu


def model(image):
    return conv(image).relu() + 1


# endregion
operators = {
    "no tag": make_operator("relu"),
    "needs_fixed_stride_order": make_operator(
        "relu_in_order", torch.Tag.needs_fixed_stride_order
    ),
}
image = torch.randn(2, 8, 6, 6)
rows = []
with torch.no_grad():
    eager = conv(image).stride()
    for name, operator in operators.items():
        options = {"post_grad_custom_pre_pass": insert(operator)}
        torch.compiler.reset()
        torch.compile(model, options=options)(image)
        rows.append([name, eager, strides[-1]])
show(Table(["operator", "conv(image) in eager mode", "what the operator gets"], rows))
# region checks
assert [row[1] == row[2] for row in rows] == [False, True]
# endregion
