"""gelu as Dynamo records it, and after Inductor's decompositions."""

import torch
from functorch.compile import make_boxed_func
from torch._dynamo.backends.common import aot_autograd
from torch._inductor.decomposition import select_decomp_table


def gelu(x):
    return torch.nn.functional.gelu(x)


def keep_dynamo_graph(graph_module, example_inputs):
    graphs.append(graph_module)
    return decompose(graph_module, example_inputs)


def keep_graph(graph_module, example_inputs):
    graphs.append(graph_module)
    return make_boxed_func(graph_module.forward)


graphs, x = [], torch.linspace(-2, 2, 5)
decompose = aot_autograd(fw_compiler=keep_graph, decompositions=select_decomp_table())
y = torch.compile(gelu, backend=keep_dynamo_graph)(x)
for graph_module in graphs:
    graph_module.print_readable()
# region checks
before, after = ([n for n in graph.graph.nodes if n.op == "call_function"] for graph in graphs)
assert (len(before), len(after)) == (1, 5)
assert all(torch.Tag.pointwise in node.target.tags for node in after)
torch.testing.assert_close(y, gelu(x))
# endregion
