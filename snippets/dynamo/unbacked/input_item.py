"""The .item() of an input is backed: its value can be looked at before the graph runs."""

import torch

graphs = []


def keep_graph(graph_module, example_inputs):
    graphs.append(graph_module)
    return graph_module.forward


def head(x, n):
    if n.item() > 3:
        return x[:3]
    return x


compiled = torch.compile(head, backend=keep_graph, fullgraph=True)
for n in (5, 6, 2, 1):
    result = compiled(torch.ones(8), torch.tensor(n))
    print(f"n = {n}: {len(result)} elements, {len(graphs)} compiled so far")

graph_count = len(graphs)
assert graph_count == 2
