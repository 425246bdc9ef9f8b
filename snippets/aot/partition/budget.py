"""The memory budget: fewer bytes saved, more computed again."""

import torch
import torch._functorch.config
from functorch.compile import make_boxed_func, min_cut_rematerialization_partition
from torch._dynamo.backends.common import aot_autograd
from torch.autograd.graph import saved_tensors_hooks

from compile_lessons import Table, show


def mlp(x, w1, w2, w3):
    x = torch.relu(x @ w1)
    x = torch.relu(x @ w2)
    return x @ w3


def count_products(graph_module, example_inputs):
    products.append(sum(node.target is torch.ops.aten.mm.default for node in graph_module.graph.nodes))
    return make_boxed_func(graph_module.forward)


inputs = [torch.rand(256, 256, requires_grad=True) for _ in range(4)]
backend = aot_autograd(fw_compiler=count_products, partition_fn=min_cut_rematerialization_partition)
rows, products, saved = [], [], {}
for budget in (1.0, 0.5, 0.0):
    torch.compiler.reset()
    products.clear(), saved.clear()
    with torch._functorch.config.patch(activation_memory_budget=budget):
        with saved_tensors_hooks(lambda t: saved.setdefault(t.untyped_storage().data_ptr(), t), lambda t: t):
            y = torch.compile(mlp, backend=backend)(*inputs)
        y.sum().backward()
    extra = [t for p, t in saved.items() if p not in {i.data_ptr() for i in inputs}]
    rows.append([budget, len(extra), sum(t.nbytes for t in extra), *products])

show(Table(["budget", "saved tensors", "bytes", "products in forward", "products in backward"], rows))
tensors, nbytes, forward, backward = zip(*(row[1:] for row in rows), strict=True)
assert tensors == (2, 1, 0) and nbytes == (2 * 4 * 256**2, 4 * 256**2, 0)
assert forward == (3, 3, 3) and backward == (6, 7, 8)
