"""nonzero: the number of rows depends on the data."""

import torch


def show_graph(graph_module, example_inputs):
    graph_module.print_readable()
    graphs.append(graph_module)
    return graph_module.forward


def positions(x):
    return x.nonzero() * 2


graphs = []
compiled = torch.compile(positions, backend=show_graph, fullgraph=True)
for x in ([1, 0, 3], [0, 0, 0]):
    print(compiled(torch.tensor(x)).tolist())

# region checks
graph_count = len(graphs)
assert graph_count == 1
# endregion
