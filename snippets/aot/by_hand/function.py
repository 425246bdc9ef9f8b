"""aot_function: both graphs of a function, without Dynamo."""

import torch
from functorch.compile import aot_function, make_boxed_func


def scaled_square(x, w):
    return (w * x**2).sum()


def keep_graph(graph_module, example_inputs):
    graphs.append(graph_module)
    return make_boxed_func(graph_module.forward)


graphs, x, w = [], torch.arange(3.0), torch.ones(3, requires_grad=True)
loss = aot_function(scaled_square, fw_compiler=keep_graph)(x, w)
loss.backward()
for graph_module in graphs:
    print(graph_module.code.strip(), "\n")
print("gradient of w:", w.grad)
# region checks
assert len(graphs) == 2 and torch.equal(w.grad, x**2)
from functorch.compile import aot_module

aot_module(torch.nn.Linear(3, 2), fw_compiler=keep_graph)(torch.ones(4, 3))
shapes = [list(node.meta["val"].shape) for node in graphs[2].graph.find_nodes(op="placeholder")]
assert shapes == [[2, 3], [2], [4, 3]]  # weight, bias, input
# endregion
