"""An in-place operator becomes a new value, and a copy_ at the end."""

import torch
from functorch.compile import make_boxed_func
from torch._dynamo.backends.common import aot_autograd


def double_in_place(x):
    x.mul_(2)
    return x + 1


def keep_graph(graph_module, example_inputs):
    graphs.append(graph_module)
    return make_boxed_func(graph_module.forward)


graphs, x = [], torch.ones(4)
backend = aot_autograd(fw_compiler=keep_graph, keep_inference_input_mutations=True)  # as Inductor does
y = torch.compile(double_in_place, backend=backend)(x)
graphs[0].print_readable()
print("x:", x, " y:", y)
# region checks
assert torch.equal(x, torch.full((4,), 2.0)) and torch.equal(y, x + 1)
names = [node.name for node in graphs[0].graph.nodes]
assert names == ["arg0_1", "mul", "add", "copy_", "output"]
# endregion
