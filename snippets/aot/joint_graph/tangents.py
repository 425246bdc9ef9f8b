"""Which outputs get a tangent."""

from functools import partial

import torch
from functorch.compile import default_partition, nop
from torch._dynamo.backends.common import aot_autograd  # private: no public name

from compile_lessons import Table, show


# region functions
def change_input(x, w):
    x.mul_(w)
    return (x * 2).sum()


def two_views(x, w):
    y = x * w
    return y[0], y[1]


functions = {
    "x * w": lambda x, w: x * w,
    "x * w, and the index of the maximum": lambda x, w: (x * w, (x * w).argmax()),
    "a sum, after x.mul_(w)": change_input,
    "x[0], a view of an input, and x * w": lambda x, w: (x[0], x * w),
    "y[0] and y[1], views of y = x * w": two_views,
    "y.unbind(), one operator with two views": lambda x, w: (x * w).unbind(),
}
# endregion
rows = []


def count_tangents(name, joint, inputs, **settings):
    placeholders = joint.graph.find_nodes(op="placeholder")
    tangents = sum("tangents" in node.name for node in placeholders)
    rows.append([name, tangents, settings["num_fwd_outputs"]])
    return default_partition(joint, inputs, **settings)


x = torch.ones(2, 3, requires_grad=True)
w = torch.ones(3, requires_grad=True)
for name, function in functions.items():
    partition = partial(count_tangents, name)
    backend = aot_autograd(fw_compiler=nop, partition_fn=partition)
    torch.compile(function, backend=backend)(x * 1, w)  # x is a leaf, x * 1 may change
columns = ["the function returns", "tangents", "values from the forward pass"]
show(Table(columns, rows))
# region checks
assert [row[1] for row in rows] == [1, 1, 2, 1, 1, 2]
# endregion
