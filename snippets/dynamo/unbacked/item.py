"""A size that nobody knows before the graph runs."""

import torch


def show_graph(graph_module, example_inputs):
    graph_module.print_readable()
    graphs.append(graph_module)
    return graph_module.forward


def zeros(counts):
    n = counts.sum().item()
    return torch.zeros(n)


graphs = []
compiled = torch.compile(zeros, backend=show_graph, fullgraph=True)
for counts in ([1, 2], [4, 0], [0, 0]):
    print(compiled(torch.tensor(counts)))

graph_count = len(graphs)
assert graph_count == 1
