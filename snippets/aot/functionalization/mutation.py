"""An in-place operator becomes a value, and a copy_ at the end."""

import re

import torch
from functorch.compile import make_boxed_func
from torch._dynamo.backends.common import aot_autograd


def double_in_place(x):
    x.mul_(2)
    return x + 1


def show_graph(graph_module, example_inputs):
    text = graph_module.print_readable(print_output=False)
    print(re.sub(r"\n +# File:.*|;  (\w+ = )+None|\n *(?=\n)", "", text))
    graphs.append(graph_module)
    return make_boxed_func(graph_module.forward)


graphs = []
x = torch.ones(4)
backend = aot_autograd(fw_compiler=show_graph, keep_inference_input_mutations=True)  # as Inductor sets it
y = torch.compile(double_in_place, backend=backend)(x)
print("x:", x, " y:", y)

in_place = [node.name for node in graphs[0].graph.nodes if str(node.target).split(".")[1:2] == ["copy_"]]
assert in_place == ["copy_"] and "mul_(" not in graphs[0].code
assert torch.equal(x, torch.full((4,), 2.0)) and torch.equal(y, x + 1)
