"""fail_on_recompile does not stop the first backward call from compiling."""

import torch
from functorch.compile import make_boxed_func
from torch._dynamo.backends.common import aot_autograd  # private, but documented


def compile_forward(graph_module, example_inputs):
    graphs.append("forward")
    return make_boxed_func(graph_module.forward)


def compile_backward(graph_module, example_inputs):
    graphs.append("backward")
    return make_boxed_func(graph_module.forward)


def total(x):
    return (x.sin() * 2).sum()


graphs = []
backend = aot_autograd(fw_compiler=compile_forward, bw_compiler=compile_backward)
x = torch.ones(4, requires_grad=True)
loss = torch.compile(total, backend=backend)(x)
print("compiled after the forward call: ", graphs)
with torch.compiler.set_stance("fail_on_recompile"):
    loss.backward()
print("compiled after the backward call:", graphs)

# region checks
assert graphs == ["forward", "backward"]
# endregion
