"""torch.cond runs one of two functions, inside the graph."""

import torch


def step(x):
    return torch.cond(x.sum() > 0, lambda x: torch.sqrt(x), lambda x: x * x, (x,))


graphs = []


def keep_graph(graph_module, example_inputs):
    graphs.append(graph_module)
    return graph_module.forward


compiled = torch.compile(step, backend=keep_graph, fullgraph=True)
print(compiled(torch.full((3,), 4.0)))
print(compiled(torch.full((3,), -4.0)))

print(graphs[0].code.strip())
graph_count = len(graphs)
assert graph_count == 1
