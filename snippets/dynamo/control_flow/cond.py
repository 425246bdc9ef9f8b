"""torch.cond: two graphs inside a graph."""

import torch


def step(x):
    return torch.cond(x.sum() > 0, lambda x: x.sin(), lambda x: x.cos(), (x,))


def show_graph(graph_module, example_inputs):
    graph_module.print_readable()
    graphs.append(graph_module)
    return graph_module.forward


graphs = []
compiled = torch.compile(step, backend=show_graph, fullgraph=True)
for x in (torch.ones(4), -torch.ones(4)):
    assert torch.equal(compiled(x), step(x))

graph_count = len(graphs)
assert graph_count == 1
