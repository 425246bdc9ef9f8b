"""gelu as Dynamo records it, and as primitives."""

import re

import torch
from functorch.compile import make_boxed_func
from torch._dynamo.backends.common import aot_autograd
from torch._inductor.decomposition import select_decomp_table


def gelu(x):
    return torch.nn.functional.gelu(x)


def show_graph(graph_module, example_inputs):
    text = graph_module.print_readable(print_output=False)
    print(re.sub(r"\n +# File:.*|;  (\w+ = )+None", "", text))
    graphs.append(graph_module.graph)
    return make_boxed_func(graph_module.forward) if len(graphs) > 1 else graph_module.forward


graphs = []
x = torch.linspace(-2, 2, 5)
torch.compile(gelu, backend=show_graph)(x)
torch.compiler.reset()
primitives = aot_autograd(fw_compiler=show_graph, decompositions=select_decomp_table())
y = torch.compile(gelu, backend=primitives)(x)

operators = [sum(node.op == "call_function" for node in graph.nodes) for graph in graphs]
before, after = operators
assert (before, after) == (1, 5)
assert all(torch.Tag.pointwise in n.target.tags for n in graphs[1].nodes if n.op == "call_function")
torch.testing.assert_close(y, gelu(x))
