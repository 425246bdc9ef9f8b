"""A change through a view becomes a new value of the whole tensor."""

import torch
from functorch.compile import make_boxed_func
from torch._dynamo.backends.common import aot_autograd


def raise_first_row(x):
    y = x * 1
    row = y[0]
    row.add_(5)
    return y


def keep_graph(graph_module, example_inputs):
    graphs.append(graph_module)
    return make_boxed_func(graph_module.forward)


graphs = []
y = torch.compile(raise_first_row, backend=aot_autograd(fw_compiler=keep_graph))(torch.ones(3, 2))
graphs[0].print_readable()
print(y)
# region checks
targets = [str(node.target) for node in graphs[0].graph.nodes]
assert "aten.select_scatter.default" in targets and "aten.add_.Tensor" not in targets
assert y.tolist() == [[6, 6], [1, 1], [1, 1]]
# endregion
