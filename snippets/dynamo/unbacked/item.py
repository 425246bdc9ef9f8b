"""A size that is unknown until the graph runs."""

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
try:
    compiled(torch.tensor([-1, 0]))
except RuntimeError as error:
    message = str(error)
    print("RuntimeError:", message)

# region checks
graph_count = len(graphs)
assert graph_count == 1 and "u0 >= 0" in message
# endregion
