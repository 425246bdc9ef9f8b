"""What the forward graph of sin and exp saves for the backward graph."""

import torch
from functorch.compile import make_boxed_func, min_cut_rematerialization_partition
from torch._dynamo.backends.common import aot_autograd


def sin_exp(x):
    return x.sin().exp()


def keep_graph(graph_module, example_inputs):
    graphs.append(graph_module)
    return make_boxed_func(graph_module.forward)


graphs, x = [], torch.ones(4, requires_grad=True)
backend = aot_autograd(fw_compiler=keep_graph, partition_fn=min_cut_rematerialization_partition)
y = torch.compile(sin_exp, backend=backend)(x)
saved = {t.data_ptr() for t in y.grad_fn.saved_tensors}
y.sum().backward()
for graph_module in graphs:
    print(graph_module.code.strip(), "\n")
# region checks
returned = [value.name for value in graphs[0].graph.output_node().args[0]]
assert returned[:2] == ["exp", "primals_1"] and len(returned) == 3
assert saved == {x.data_ptr(), y.data_ptr()}  # the input and the result: no new memory
# endregion
