"""Moved out of the loop, the print costs one break and no longer the whole function."""

import torch


def after_loop(x):
    seen = []
    for _ in range(3):
        x = x + 1
        seen.append(x.sum())
    print(torch.stack(seen))
    return x * 2


graphs = []


def keep_graph(graph_module, example_inputs):
    graphs.append(graph_module)
    return graph_module.forward


result = torch.compile(after_loop, backend=keep_graph)(torch.ones(8))
for graph_module in graphs:
    print([node.name for node in graph_module.graph.nodes if "call" in node.op])
graph_count = len(graphs)
assert graph_count == 2
assert torch.equal(result, torch.full((8,), 8.0))
