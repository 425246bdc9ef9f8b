"""Saved bytes: eager mode, the default partitioner, the min-cut partitioner."""

import torch
from functorch.compile import default_partition, make_boxed_func, min_cut_rematerialization_partition
from torch._dynamo.backends.common import aot_autograd
from torch.autograd.graph import saved_tensors_hooks

from compile_lessons import Table, show


def bumps(x):
    for _ in range(4):
        x = torch.cos(x) * torch.sin(x)
    return x


def saved_bytes(function):
    saved = {}
    with saved_tensors_hooks(lambda t: saved.setdefault(t.data_ptr(), t), lambda t: t):
        y = function(x)
    y.sum().backward()
    return sum(t.nbytes for p, t in saved.items() if p not in (x.data_ptr(), y.data_ptr()))  # those stay alive anyway


def keep_graph(graph_module, example_inputs):
    operators.append(sum(node.op == "call_function" for node in graph_module.graph.nodes))
    return make_boxed_func(graph_module.forward)


x, operators = torch.linspace(0, 1, 1 << 20, requires_grad=True), []
rows = [["none (eager mode)", saved_bytes(bumps) // 2**20, ""]]
for name, partitioner in {"default": default_partition, "min-cut": min_cut_rematerialization_partition}.items():
    backend = aot_autograd(fw_compiler=keep_graph, partition_fn=partitioner)
    rows.append([name, saved_bytes(torch.compile(bumps, backend=backend)) // 2**20, operators[-1]])
show(Table(["partitioner", "MiB saved", "operators in the backward graph"], rows))
# region checks
assert [row[1] for row in rows] == [44, 44, 0] and rows[2][2] > rows[1][2]
# endregion
