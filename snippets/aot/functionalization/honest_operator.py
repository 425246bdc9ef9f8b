"""The operator says what it changes."""

import torch
from functorch.compile import make_boxed_func
from torch._dynamo.backends.common import aot_autograd


@torch.library.custom_op("lesson::bump", mutates_args={"x"})
def bump(x: torch.Tensor) -> torch.Tensor:
    x.add_(1)
    return x.sum()


@bump.register_fake
def _(x):
    return x.new_empty(())


def bump_then_multiply(x):
    y = x * 1
    bump(y)
    return y * 10


def show_operators(graph_module, example_inputs):
    print([node.name for node in graph_module.graph.nodes if node.op == "call_function"])
    return make_boxed_func(graph_module.forward)


y = torch.compile(bump_then_multiply, backend=aot_autograd(fw_compiler=show_operators))(torch.ones(1))
print(y)
assert y.item() == 20
