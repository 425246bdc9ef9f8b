"""map applies a function to each part of a tensor, and its graph doesn't grow."""

import torch
from torch._higher_order_ops.map import map as map_over  # torch has no public name

from compile_lessons import capture


def double_parts(x):
    return map_over(lambda part: part * 2, x)


nodes = []
for length in (5, 50):
    x = torch.arange(float(length))
    [graph] = capture(double_parts, until="dynamo")(x).graphs
    nodes.append(len(graph.dynamo.nodes))
print("nodes for lengths 5 and 50:", *nodes)

# region checks
assert nodes[0] == nodes[1]
assert torch.equal(torch.compile(double_parts, backend="eager")(x), 2 * x)
# endregion
