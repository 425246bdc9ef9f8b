"""torch.where chooses inside the graph."""

import torch


def safe_sqrt(x):
    x = torch.where(x.sum() < 0, -x, x)
    return torch.sqrt(x)


graphs = []


def keep_graph(graph_module, example_inputs):
    graphs.append(graph_module)
    return graph_module.forward


compiled = torch.compile(safe_sqrt, backend=keep_graph, fullgraph=True)
for x in (torch.full((3,), 4.0), torch.full((3,), -4.0)):
    print(x, "->", compiled(x))
    assert torch.equal(compiled(x), torch.full((3,), 2.0))

print(graphs[0].code.strip())
graph_count = len(graphs)
assert graph_count == 1
