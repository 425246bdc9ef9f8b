"""A skipped frame runs in Python; what it calls is still compiled."""

import torch

from compile_lessons import Table, show


def layer(x):
    return torch.relu(x) + 1


def in_loop(x):
    for _ in range(3):
        x = layer(x)
        print(end="")
    return x * 2


graphs = []


def keep_graph(graph_module, example_inputs):
    graphs.append([node.target.__name__ for node in graph_module.graph.nodes if callable(node.target)])
    return graph_module.forward


torch.compile(in_loop, backend=keep_graph)(torch.ones(3))
frames = torch._dynamo.utils.counters["frames"]
show(Table(["frames seen", "frames compiled", "graphs"], [[frames["total"], frames["ok"], graphs]]))
total, ok, graph_count = frames["total"], frames["ok"], len(graphs)
assert (total, ok, graph_count) == (2, 1, 1)
