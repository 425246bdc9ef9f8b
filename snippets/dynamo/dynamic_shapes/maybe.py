"""Two ways out: ask a question that has a range, or ask for a dynamic size only if possible."""

import torch


def fixed(x):
    return x + 1 if x.shape[0] == 4 else x


def ranged(x):
    return x + 1 if x.shape[0] <= 4 else x


graphs = []


def keep_graph(graph_module, example_inputs):
    graphs.append(graph_module)
    return graph_module.forward


x = torch.ones(4)
torch._dynamo.maybe_mark_dynamic(x, 0)
torch.compile(fixed, backend=keep_graph)(x)
print(
    "maybe_mark_dynamic:", *[node.meta["example_value"].shape for node in graphs[0].graph.find_nodes(op="placeholder")]
)

graphs.clear()
x = torch.ones(4)
torch._dynamo.mark_dynamic(x, 0)
compiled = torch.compile(ranged, backend=keep_graph)
compiled(x)
compiled(torch.ones(3))
graph_count = len(graphs)
print("mark_dynamic, compiles for 4 and 3:", graph_count)
assert graph_count == 1
