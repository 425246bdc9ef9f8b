"""aot_function: both graphs of a function, without Dynamo."""

import torch
from functorch.compile import aot_function, make_boxed_func


def scaled_square(x, w):
    return (w * x**2).sum()


def print_and_run(graph_module, example_inputs):
    print(graph_module.code.strip(), "\n")
    return make_boxed_func(graph_module.forward)


x = torch.arange(3.0)
w = torch.ones(3, requires_grad=True)
loss = aot_function(scaled_square, fw_compiler=print_and_run)(x, w)
loss.backward()
print("gradient of w:", w.grad)
# region checks
assert torch.equal(w.grad, x**2)
# endregion
