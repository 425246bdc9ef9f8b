"""A backend is a function that takes a graph and returns something to call."""

import torch


def quick_gelu(x):
    return x * torch.sigmoid(1.702 * x)


def print_names(graph_module, example_inputs):
    nodes = graph_module.graph.nodes
    names = [node.name for node in nodes if node.op == "call_function"]
    print("compiling", names)
    compiles.append(names)
    return graph_module.forward


compiles = []
x = torch.linspace(-4, 4, 512)
compiled = torch.compile(quick_gelu, backend=print_names)
for _ in range(3):
    print("sum of the result:", round(compiled(x).sum().item(), 2))

# region checks
assert compiles == [["mul", "sigmoid", "mul_1"]]
assert torch.equal(compiled(x), quick_gelu(x))
# endregion
