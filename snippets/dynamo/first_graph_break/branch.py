"""An if on a tensor's value breaks the graph."""

import torch


def safe_sqrt(x):
    if x.sum() < 0:
        x = -x
    return torch.sqrt(x)


def keep_graph(graph_module, example_inputs):
    graph_module.print_readable()
    graphs.append(graph_module)
    return graph_module.forward


graphs = []
compiled = torch.compile(safe_sqrt, backend=keep_graph)
compiled(torch.ones(8))
after_positive = len(graphs)
print("---- a negative sum ----")
compiled(-torch.ones(8))
after_negative = len(graphs)

# region checks
assert (after_positive, after_negative) == (2, 3)
# endregion
