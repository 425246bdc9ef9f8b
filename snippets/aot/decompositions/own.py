"""A decomposition that you write."""

import torch
from functorch.compile import make_boxed_func
from torch._dynamo.backends.common import aot_autograd


def hardswish(x):
    return x * torch.clamp(x + 3, 0, 6) / 6


def keep_graph(graph_module, example_inputs):
    graphs.append(graph_module)
    return make_boxed_func(graph_module.forward)  # a compiler would generate code here


graphs = []
backend = aot_autograd(fw_compiler=keep_graph, decompositions={torch.ops.aten.hardswish.default: hardswish})
y = torch.compile(torch.nn.functional.hardswish, backend=backend)(torch.linspace(-4, 4, 9))
print(graphs[0].code.strip())
# region checks
names = [n.target.__name__ for n in graphs[0].graph.nodes if n.op == "call_function"]
assert names == ["add.Tensor", "clamp.default", "mul.Tensor", "div.Tensor"]
torch.testing.assert_close(y, torch.nn.functional.hardswish(torch.linspace(-4, 4, 9)))
# endregion
