"""torch.cond: two graphs inside a graph."""

# region copy
import torch


def step(x):
    return torch.cond(x.sum() > 0, lambda x: x.sin(), lambda x: x.cos(), (x,))


# endregion


def keep_graph(graph_module, example_inputs):
    graph_module.print_readable()
    graphs.append(graph_module)
    return graph_module.forward


graphs = []
compiled = torch.compile(step, backend=keep_graph, fullgraph=True)
compiled(torch.ones(4))

# region checks
for x in (torch.ones(4), -torch.ones(4)):
    assert torch.equal(compiled(x), step(x))
assert len(graphs) == 1
# endregion
