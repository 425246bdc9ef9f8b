"""aot_function: both graphs of a function, without Dynamo."""

import torch
from functorch.compile import aot_function, make_boxed_func


def scaled_square(x, w):
    return (w * x**2).sum()


def print_as(name):
    def compiler(graph_module, example_inputs):
        names = [node.name for node in graph_module.graph.nodes]
        print(f"{name}: {' '.join(names)}")
        graphs.append(name)
        return make_boxed_func(graph_module.forward)

    return compiler


graphs = []
compiled = aot_function(scaled_square, fw_compiler=print_as("forward"), bw_compiler=print_as("backward"))
x, w = torch.arange(3.0), torch.ones(3, requires_grad=True)
loss = compiled(x, w)
print("forward pass done")
loss.backward()
print("gradient of w:", w.grad)

assert graphs == ["forward", "backward"]
assert torch.equal(w.grad, x**2)
