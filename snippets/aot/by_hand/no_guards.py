"""aot_function traces once: the second call runs the first call's graph."""

import torch
from functorch.compile import aot_function, make_boxed_func
from torch._dynamo.backends.common import aot_autograd

from compile_lessons import Table, show


def mean(x):
    return x.sum() / x.numel()


def keep_graph(graph_module, example_inputs):
    graphs.append(graph_module)
    return make_boxed_func(graph_module.forward)


def means(function):
    return [function(torch.ones(size)).item() for size in (4, 8, 16)]


rows = []
for name, function in {
    "aot_function": aot_function(mean, fw_compiler=keep_graph),
    "torch.compile": torch.compile(mean, backend=aot_autograd(fw_compiler=keep_graph)),
}.items():
    graphs = []
    rows.append([name, str(means(function)), len(graphs)])
show(Table(["compiled by", "mean of 4, 8 and 16 ones", "compiles"], rows))
# region checks
assert rows == [["aot_function", "[1.0, 2.0, 4.0]", 1], ["torch.compile", "[1.0, 1.0, 1.0]", 2]]
# endregion
