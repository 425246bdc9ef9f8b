"""What the forward graph of sin, exp returns for the backward graph."""

import re

import torch
from functorch.compile import default_partition, make_boxed_func, min_cut_rematerialization_partition
from torch._dynamo.backends.common import aot_autograd


def sin_exp(x):
    return x.sin().exp()


def print_graph(graph_module, example_inputs):
    text = graph_module.print_readable(print_output=False)
    print(re.sub(r"\n +# (File|No stacktrace).*|;  (\w+ = )+None|\n *\n", "", text))
    graphs.append(graph_module.graph)
    return make_boxed_func(graph_module.forward)


for partitioner in (default_partition, min_cut_rematerialization_partition):
    print("----", partitioner.__name__)
    graphs = []
    torch.compiler.reset()
    x = torch.ones(4, requires_grad=True)
    y = torch.compile(sin_exp, backend=aot_autograd(fw_compiler=print_graph, partition_fn=partitioner))(x)
    pointers = {t.data_ptr() for t in y.grad_fn.saved_tensors}
    y.sum().backward()

    returned = [value.name for value in graphs[0].output_node().args[0]]
    assert returned[:2] == ["exp", "primals_1"] and "sin" not in returned
    assert pointers == {x.data_ptr(), y.data_ptr()}  # the two saved tensors are the input and the result
