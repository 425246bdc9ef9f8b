# /// lesson
# needs = ["compiler"]
# ///
"""When an all-reduce needs a copy of its tensor: three uses of the tensor."""

import torch
import torch.distributed as dist
from _alone import calls, join_group
from torch.distributed._functional_collectives import all_reduce  # no public name

from compile_lessons import Table, capture, show

join_group(2)


def reduce_last_use(x, half):
    partial = x @ half
    return all_reduce(partial, "sum", dist.group.WORLD).relu()


def reduce_and_use(x, half):
    partial = x @ half
    return all_reduce(partial, "sum", dist.group.WORLD).relu() + partial


def reduce_argument(x, half):
    return all_reduce(half, "sum", dist.group.WORLD).relu()


x = torch.ones(64, 64)
half = torch.ones(64, 64)
rows = []
for function in (reduce_last_use, reduce_and_use, reduce_argument):
    with torch.no_grad():
        [graph] = capture(function, machine_code=False)(x, half).graphs
    rows.append([function.__name__, ", ".join(calls(graph.kernels))])
show(Table(["function", "calls"], rows))
# region checks
assert ["fused_all_reduce" in row[1] for row in rows] == [False, True, True]
# endregion
