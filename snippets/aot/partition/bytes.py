"""Saved bytes: eager mode, the default partitioner, the min-cut partitioner."""

from functools import partial

import torch
from functorch.compile import (
    default_partition,
    min_cut_rematerialization_partition,
    nop,
)
from torch._dynamo.backends.common import aot_autograd  # private: no public name
from torch.autograd.graph import saved_tensors_hooks

from compile_lessons import Table, show


# region bumps
def bumps(x):
    for _ in range(4):
        x = torch.cos(x) * torch.sin(x)
    return x


# endregion
x = torch.linspace(0, 1, 1 << 20, requires_grad=True)


def saved_mib(function):
    saved = {}

    def keep(tensor):
        saved[tensor.data_ptr()] = tensor.nbytes
        return tensor

    with saved_tensors_hooks(keep, lambda tensor: tensor):
        y = function(x)
    alive_anyway = (x.data_ptr(), y.data_ptr())
    return sum(size for at, size in saved.items() if at not in alive_anyway) // 2**20


def count_and_partition(partitioner, joint, inputs, **settings):
    forward, backward = partitioner(joint, inputs, **settings)
    operators.append(sum(node.op == "call_function" for node in backward.graph.nodes))
    return forward, backward


operators = []
rows = [["none (eager mode)", saved_mib(bumps), ""]]
partitioners = {
    "default": default_partition,
    "min-cut": min_cut_rematerialization_partition,
}
for name, partitioner in partitioners.items():
    partition = partial(count_and_partition, partitioner)
    backend = aot_autograd(fw_compiler=nop, partition_fn=partition)
    rows.append([name, saved_mib(torch.compile(bumps, backend=backend)), operators[-1]])
show(Table(["partitioner", "MiB saved", "operators in the backward graph"], rows))
# region checks
eager_mib = rows[0][1]
min_cut_mib = rows[2][1]
assert [row[1] for row in rows] == [44, 44, 0]
assert rows[2][2] > rows[1][2]
# endregion
