"""Two arguments that are one tensor get a graph of their own."""

import torch
from functorch.compile import make_boxed_func
from torch._dynamo.backends.common import aot_autograd


def bump_then_double(a, b):
    a.add_(1)
    return b * 2


def show_graph(graph_module, example_inputs):
    print(graph_module.code.strip(), "\n")
    inputs.append(sum(node.op == "placeholder" for node in graph_module.graph.nodes))
    return make_boxed_func(graph_module.forward)


inputs = []
compiled = torch.compile(bump_then_double, backend=aot_autograd(fw_compiler=show_graph))
x = torch.zeros(2)
print(compiled(x, torch.zeros(2)), "\n")
print(compiled(x, x))

graphs = len(inputs)
assert inputs == [2, 1] and torch.equal(x, torch.full((2,), 2.0))
