"""torch.utils.checkpoint inside a compiled function."""

import torch
from functorch.compile import make_boxed_func, min_cut_rematerialization_partition
from torch._dynamo.backends.common import aot_autograd
from torch.utils.checkpoint import checkpoint

from compile_lessons import Table, show


def block(x, w):
    return torch.relu(torch.tanh(x @ w) @ w)


def plain(x, w):
    return block(x, w).sum()


def checkpointed(x, w):
    return checkpoint(block, x, w, use_reentrant=False).sum()


def keep_graph(graph_module, example_inputs):
    graphs.append(graph_module.graph)
    return make_boxed_func(graph_module.forward)


rows = []
for function in (plain, checkpointed):
    graphs = []
    backend = aot_autograd(fw_compiler=keep_graph, partition_fn=min_cut_rematerialization_partition)
    x, w = torch.ones(4, 4, requires_grad=True), torch.ones(4, 4, requires_grad=True)
    torch.compile(function, backend=backend, fullgraph=True)(x, w).backward()
    returned = [value.name for value in graphs[0].output_node().args[0]][1:]
    products = sum(node.target is torch.ops.aten.mm.default for node in graphs[1].nodes)
    rows.append([function.__name__, ", ".join(returned), products])
show(Table(["function", "saved", "matmuls in the backward graph"], rows))
# region checks
assert rows[1][1] == "primals_1, primals_2" and [row[2] for row in rows] == [4, 6]
# endregion
