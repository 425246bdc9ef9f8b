"""With the print outside, one graph remains."""

import torch


def shifted_square(x):
    y = torch.relu(x) + 1
    return y * y


def keep_graph(graph_module, example_inputs):
    graphs.append(graph_module)
    return graph_module.forward


graphs = []
compiled = torch.compile(shifted_square, backend=keep_graph, fullgraph=True)
print("result:", compiled(torch.ones(3)))
print("graphs:", len(graphs))

# region checks
assert len(graphs) == 1
# endregion
