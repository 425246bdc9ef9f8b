"""A change through a view becomes a change of the tensor it looks into."""

import re

import torch
from functorch.compile import make_boxed_func
from torch._dynamo.backends.common import aot_autograd


def raise_first_row(x):
    y = x * 1
    row = y[0]
    row.add_(5)
    return y


def show_graph(graph_module, example_inputs):
    text = graph_module.print_readable(print_output=False)
    print(re.sub(r"\n +# File:.*|;  (\w+ = )+None|\n *(?=\n)", "", text))
    targets.extend(str(node.target) for node in graph_module.graph.nodes)
    return make_boxed_func(graph_module.forward)


targets = []
y = torch.compile(raise_first_row, backend=aot_autograd(fw_compiler=show_graph))(torch.ones(3, 2))
print(y)

assert "aten.select_scatter.default" in targets and "aten.add_.Tensor" not in targets
assert y[0, 0] == 6 and y[1, 0] == 1
