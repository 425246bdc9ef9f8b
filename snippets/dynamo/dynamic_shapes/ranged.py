"""Branch on a condition that holds for a range of sizes."""

import torch


def ranged(x):
    return x + 1 if x.shape[0] <= 4 else x * 2


def keep_graph(graph_module, example_inputs):
    graphs.append(graph_module)
    return graph_module.forward


graphs = []
first = torch.ones(4)
torch._dynamo.mark_dynamic(first, 0)  # dimension 0 will change
compiled = torch.compile(ranged, backend=keep_graph)  # leave out backend= for Inductor
compiled(first)
for x in (torch.ones(3), torch.ones(2)):
    compiled(x)
print("compiles for 4, 3 and 2:", len(graphs))

# region checks
assert len(graphs) == 1
# endregion
