"""The forward and the backward graph that AOTAutograd makes."""

import re

import torch
from functorch.compile import make_boxed_func, min_cut_rematerialization_partition
from torch._dynamo.backends.common import aot_autograd
from torch._inductor.decomposition import select_decomp_table


def quick_gelu(x):
    return x * torch.sigmoid(1.702 * x)


def show_as(name):
    def compiler(graph_module, example_inputs):
        text = graph_module.print_readable(print_output=False)
        print(name, re.sub(r"\n +# File:.*|;  (\w+ = )+None", "", text), sep="\n")
        graphs[name] = graph_module.graph
        return make_boxed_func(graph_module.forward)

    return compiler


graphs = {}
backend = aot_autograd(
    fw_compiler=show_as("forward"),
    bw_compiler=show_as("backward"),
    partition_fn=min_cut_rematerialization_partition,  # the two choices that Inductor makes
    decompositions=select_decomp_table(),
)
x = torch.linspace(-4, 4, 512, requires_grad=True)
y = torch.compile(quick_gelu, backend=backend)(x)
tensors_saved = len(y.grad_fn.saved_tensors)
y.sum().backward()

outputs = len(graphs["forward"].output_node().args[0])
assert (outputs, tensors_saved) == (2, 1)
assert "sigmoid" in str(graphs["backward"]) and "sigmoid_backward" not in str(graphs["backward"])
