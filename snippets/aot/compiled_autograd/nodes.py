"""The nodes that compiled autograd records in an ordinary backward pass."""

import torch
import torch._dynamo.compiled_autograd


def print_graph(graph_module):
    for node in graph_module.graph.nodes:
        if "backward" in node.name or "accumulate" in node.name:
            print(node.name)
            names.append(node.name)
    return graph_module


names = []
w = torch.ones(4, requires_grad=True)
loss = w.sin().sum()  # eager: nothing is compiled here
with torch._dynamo.compiled_autograd._enable(print_graph):
    loss.backward()
# region checks
assert names == ["sum_backward0", "sin_backward0", "call_accumulate_grad"]
assert torch.equal(w.grad, w.cos())
# endregion
