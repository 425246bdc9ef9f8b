"""Which outputs get a tangent."""

from functools import partial

import torch
from functorch.compile import default_partition, nop
from torch._dynamo.backends.common import aot_autograd

from compile_lessons import Table, show


def change_input(x, w):
    x.mul_(w)
    return (x * 2).sum()


functions = {
    "x * w": lambda x, w: x * w,
    "x * w, and the index of the maximum": lambda x, w: (x * w, (x * w).argmax()),
    "a sum, after x.mul_(w)": change_input,
    "x[0], a view of an input, and x * w": lambda x, w: (x[0], x * w),
    "y[0] and y[1], views of y = x * w": lambda x, w: ((y := x * w)[0], y[1]),
    "y.unbind(), one operator with two views": lambda x, w: (x * w).unbind(),
}


def count(name, joint, inputs, **settings):
    tangents = sum("tangents" in node.name for node in joint.graph.find_nodes(op="placeholder"))
    rows.append([name, tangents, settings["num_fwd_outputs"]])
    return default_partition(joint, inputs, **settings)


rows, x, w = [], torch.ones(2, 3, requires_grad=True), torch.ones(3, requires_grad=True)
for name, function in functions.items():
    compiled = torch.compile(function, backend=aot_autograd(fw_compiler=nop, partition_fn=partial(count, name)))
    compiled(x * 1, w)  # x itself must not change in place: it is a leaf
show(Table(["the function returns", "tangents", "values from the forward pass"], rows))
# region checks
assert [row[1] for row in rows] == [1, 1, 2, 1, 1, 2]
# endregion
