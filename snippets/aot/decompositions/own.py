"""A decomposition of one's own."""

import torch
from functorch.compile import make_boxed_func
from torch._dynamo.backends.common import aot_autograd

aten = torch.ops.aten


def hardswish(x):
    return x * torch.clamp(x + 3, 0, 6) / 6


def show_graph(graph_module, example_inputs):
    names = [node.target.__name__ for node in graph_module.graph.nodes if node.op == "call_function"]
    print(names)
    found.append(names)
    return make_boxed_func(graph_module.forward)


found = []
x = torch.linspace(-4, 4, 9)
for table in ({}, {aten.hardswish.default: hardswish}):
    torch.compiler.reset()
    backend = aot_autograd(fw_compiler=show_graph, decompositions=table)
    y = torch.compile(torch.nn.functional.hardswish, backend=backend)(x)
    torch.testing.assert_close(y, torch.nn.functional.hardswish(x))

assert found == [["hardswish.default"], ["add.Tensor", "clamp.default", "mul.Tensor", "div.Tensor"]]
