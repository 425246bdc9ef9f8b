"""The backward pass that AOTAutograd derives before anything has run."""

import re

import torch
from functorch.compile import make_boxed_func
from torch._dynamo.backends.common import aot_autograd


def quick_gelu(x):
    return x * torch.sigmoid(1.702 * x)


def show_as(name):
    def compiler(graph_module, example_inputs):
        code = re.sub(r";  (\w+ = )+None", "", graph_module.code.strip())  # what is freed
        print(code.replace("def forward", f"def {name}").replace("torch.ops.", ""), "\n")
        graphs.append(graph_module.graph)
        return make_boxed_func(graph_module.forward)

    return compiler


graphs = []
x = torch.linspace(-4, 4, 512, requires_grad=True)
backend = aot_autograd(fw_compiler=show_as("forward"), bw_compiler=show_as("backward"))
y = torch.compile(quick_gelu, backend=backend)(x)
y.sum().backward()

forward_operators, backward_operators = (sum(n.op == "call_function" for n in g.nodes) for g in graphs)
[expected] = torch.autograd.grad(quick_gelu(x).sum(), x)
torch.testing.assert_close(x.grad, expected)
