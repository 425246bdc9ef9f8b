"""Choose inside the graph with torch.where."""

import torch


def safe_sqrt(x):
    # region copy
    x = torch.where(x.sum() < 0, -x, x)  # not: if x.sum() < 0: x = -x
    # endregion
    return torch.sqrt(x)


def keep_graph(graph_module, example_inputs):
    graph_module.print_readable()
    graphs.append(graph_module)
    return graph_module.forward


graphs = []
compiled = torch.compile(safe_sqrt, backend=keep_graph, fullgraph=True)
for x in (torch.full((3,), 4.0), torch.full((3,), -4.0)):
    print(x, "->", compiled(x))

# region checks
assert len(graphs) == 1
assert all(torch.equal(compiled(torch.full((3,), value)), torch.full((3,), 2.0)) for value in (4.0, -4.0))
# endregion
