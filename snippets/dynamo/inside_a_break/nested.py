"""A break two calls deep breaks the callers too."""

import torch
from torch._dynamo.convert_frame import register_bytecode_hook


def inner(x):
    x = x + 1
    print("halfway")
    return x * 2


def outer(x):
    return inner(x - 1) / 3


frames, graphs = [], []


def keep_graph(graph_module, example_inputs):
    graphs.append(graph_module)
    return graph_module.forward


register_bytecode_hook(lambda before, after: frames.append(before.co_name))
torch.compile(outer, backend=keep_graph)(torch.ones(3))

print(*frames, sep="\n")
for graph_module in graphs:
    print([node.target.__name__ for node in graph_module.graph.nodes if callable(node.target)])
frame_count, graph_count = len(frames), len(graphs)
assert (frame_count, graph_count) == (4, 4)
