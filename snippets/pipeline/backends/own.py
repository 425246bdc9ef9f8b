"""A backend is a function that takes a graph and returns something to call."""

import torch


def quick_gelu(x):
    return x * torch.sigmoid(1.702 * x)


def names_of_operators(graph_module, example_inputs):
    names = [node.name for node in graph_module.graph.nodes if node.op == "call_function"]
    print("compiling", names)
    calls.append(names)
    return graph_module.forward


calls = []
x = torch.linspace(-4, 4, 512)
compiled = torch.compile(quick_gelu, backend=names_of_operators)
for _ in range(3):
    print("sum of the result:", round(compiled(x).sum().item(), 2))

backend_calls, operators = len(calls), len(calls[0])
assert (backend_calls, operators) == (1, 3)
assert torch.equal(compiled(x), quick_gelu(x))
