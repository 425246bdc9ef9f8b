"""The example of the official page: five calls, each with another size and another float."""

import torch


def keep_graph(graph_module, example_inputs):
    graphs.append(graph_module)
    return graph_module.forward


graphs = []
compiled = torch.compile(lambda x, c: x + c, backend=keep_graph)
for i in range(5):
    compiled(torch.ones(i), 0.5 + i)
    print(f"size {i}, float {0.5 + i}: {len(graphs)} graphs so far")

# region checks
assert len(graphs) == 3
# endregion
