"""torch._check: a promise that is tested when the graph runs."""

import torch

graphs = []


def keep_graph(graph_module, example_inputs):
    graphs.append(graph_module)
    return graph_module.forward


def head(x, counts):
    n = counts.sum().item()
    torch._check(n > 3)
    if n > 3:  # no question any more
        return x[:3]
    return x


compiled = torch.compile(head, backend=keep_graph, fullgraph=True)
print(compiled(torch.ones(8), torch.tensor([2, 3])))
try:
    compiled(torch.ones(8), torch.tensor([1, 1]))
except RuntimeError as error:
    message = str(error).splitlines()[0]
    print("RuntimeError:", message)

print(graphs[0].code.strip())
graph_count = len(graphs)
assert graph_count == 1
assert "Runtime assertion failed" in message
