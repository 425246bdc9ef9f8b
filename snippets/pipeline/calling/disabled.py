"""disable=True hands your function back untouched."""

import torch


def scaled(x):
    return x.sin() * 2


graphs = []


def keep(graph_module, example_inputs):
    graphs.append(graph_module)
    return graph_module.forward


off = torch.compile(scaled, backend=keep, disable=True)
off(torch.ones(8))
print("the same function:", off is scaled)
print("graphs:", len(graphs))
assert off is scaled and not graphs
