"""map applies a function to each part of a tensor, and its graph does not grow with the length."""

import torch
from torch._higher_order_ops.map import map as map_over

from compile_lessons import capture


def doubled(x):
    return map_over(lambda part: part * 2, x)


lengths = (5, 50)
graphs = [capture(doubled, until="dynamo")(torch.arange(float(length))).graphs[0].dynamo for length in lengths]
print("nodes:", [len(graph.nodes) for graph in graphs])

# region checks
assert len(graphs[0].nodes) == len(graphs[1].nodes)
assert torch.equal(torch.compile(doubled, backend="eager")(torch.arange(5.0)), 2 * torch.arange(5.0))
# endregion
