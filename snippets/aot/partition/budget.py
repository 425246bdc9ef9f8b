"""The memory budget: fewer bytes saved, more operators recomputed."""

import torch
import torch._functorch.config
from functorch.compile import make_boxed_func, min_cut_rematerialization_partition
from torch._dynamo.backends.common import aot_autograd
from torch.autograd.graph import saved_tensors_hooks

from compile_lessons import Table, show


def mlp(x, w1, w2, w3):
    return torch.relu(torch.relu(x @ w1) @ w2) @ w3


def keep_graph(graph_module, example_inputs):
    products.append(sum(node.target is torch.ops.aten.mm.default for node in graph_module.graph.nodes))
    return make_boxed_func(graph_module.forward)


def saved_kib(function):
    saved = {}
    with saved_tensors_hooks(lambda t: saved.setdefault(t.untyped_storage().data_ptr(), t), lambda t: t):
        y = function(*inputs)
    y.sum().backward()
    return sum(t.nbytes for p, t in saved.items() if p not in {i.data_ptr() for i in inputs}) // 1024


inputs = [torch.rand(256, 256, requires_grad=True) for _ in range(4)]
backend = aot_autograd(fw_compiler=keep_graph, partition_fn=min_cut_rematerialization_partition)
rows = []
for budget in (1.0, 0.5, 0.0):
    torch.compiler.reset()
    products = []
    with torch._functorch.config.patch(activation_memory_budget=budget):
        rows.append([budget, saved_kib(torch.compile(mlp, backend=backend)), products[1]])
show(Table(["budget", "KiB saved", "matmuls in the backward graph"], rows))
# region checks
assert [row[1:] for row in rows] == [[512, 6], [256, 7], [0, 8]]
# endregion
