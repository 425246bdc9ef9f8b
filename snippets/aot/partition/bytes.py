"""Saved bytes: eager, the default partitioner, the min-cut partitioner."""

import torch
from functorch.compile import default_partition, make_boxed_func, min_cut_rematerialization_partition
from torch._dynamo.backends.common import aot_autograd
from torch.autograd.graph import saved_tensors_hooks

from compile_lessons import Table, show


def bumps(x):
    for _ in range(4):
        x = torch.cos(x) * torch.sin(x)
    return x


def measure(function):
    saved = {}
    with saved_tensors_hooks(lambda t: saved.setdefault(t.data_ptr(), t), lambda t: t):
        y = function(x)
    extra = [t for p, t in saved.items() if p not in (x.data_ptr(), y.data_ptr())]  # alive anyway
    y.sum().backward()
    return len(extra), sum(t.nbytes for t in extra)


def count(graph_module, example_inputs):
    operators.append(sum(node.op == "call_function" for node in graph_module.graph.nodes))
    return make_boxed_func(graph_module.forward)


x, operators = torch.linspace(0, 1, 1 << 20, requires_grad=True), []
rows = [["eager", *measure(bumps), "", ""]]
for name, partitioner in {"default": default_partition, "min-cut": min_cut_rematerialization_partition}.items():
    compiled = torch.compile(bumps, backend=aot_autograd(fw_compiler=count, partition_fn=partitioner))
    rows.append([name, *measure(compiled), *operators[-2:]])

show(Table(["", "saved tensors", "bytes", "forward operators", "backward operators"], rows))
(_, tensors, eager_bytes, *_), (*_, default_bytes, _, default_backward), (*_, min_cut_bytes, _, min_cut_backward) = rows
assert x.nbytes == 4 * 2**20 and eager_bytes == default_bytes == tensors * x.nbytes
assert min_cut_bytes == 0 and min_cut_backward > default_backward
