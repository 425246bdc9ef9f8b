"""One tensor as two arguments gets its own graph."""

import torch
from functorch.compile import make_boxed_func
from torch._dynamo.backends.common import aot_autograd


def bump_then_double(a, b):
    a.add_(1)
    return b * 2


def keep_graph(graph_module, example_inputs):
    graphs.append(graph_module)
    return make_boxed_func(graph_module.forward)


graphs = []
compiled = torch.compile(bump_then_double, backend=aot_autograd(fw_compiler=keep_graph))
x = torch.zeros(2)
different, same = compiled(x, torch.zeros(2)), compiled(x, x)
for graph_module in graphs:
    print(graph_module.code.strip(), "\n")
# region checks
assert different.tolist() == [0, 0] and same.tolist() == [4, 4]
assert [len(graph.graph.find_nodes(op="placeholder")) for graph in graphs] == [2, 1]
# endregion
