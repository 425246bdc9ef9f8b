"""maybe_mark_dynamic gives up without an error."""

import torch
from torch._dynamo.testing import EagerAndRecordGraphs


def fixed(x):
    return x + 1 if x.shape[0] == 4 else x


shapes = []
for mark in ("nothing", "maybe_mark_dynamic"):
    torch.compiler.reset()
    keep_graphs, first = EagerAndRecordGraphs(), torch.ones(4)
    if mark == "maybe_mark_dynamic":
        torch._dynamo.maybe_mark_dynamic(first, 0)
    compiled = torch.compile(fixed, backend=keep_graphs)
    for x in (first, torch.ones(5), torch.ones(6)):
        compiled(x)
    [value] = keep_graphs.graphs[0].graph.find_nodes(op="placeholder")
    shapes.append(list(value.meta["example_value"].shape))
    print(f"{mark}: first graph for {shapes[-1]}, {len(keep_graphs.graphs)} graphs for 4, 5, 6")

assert shapes == [[4], [4]]
