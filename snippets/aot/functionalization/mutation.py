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
for keep in (True, False):  # Inductor asks for True
    torch.compiler.reset()
    x = torch.ones(4)
    backend = aot_autograd(fw_compiler=show_graph, keep_inference_input_mutations=keep)
    y = torch.compile(double_in_place, backend=backend)(x)
    print("x:", x, " y:", y, "\n")
    assert torch.equal(x, torch.full((4,), 2.0)) and torch.equal(y, x + 1)

kept, returned = ([str(node.target) for node in graph.graph.nodes] for graph in graphs)
assert "aten.copy_.default" in kept and "aten.copy_.default" not in returned
outputs = [len(graph.graph.output_node().args[0]) for graph in graphs]
assert outputs == [1, 2] and "aten.mul_.Tensor" not in kept + returned
