# /// lesson
# needs = ["compiler"]
# ///
"""Two processes add up a tensor; without wait_tensor, rank 0 reads it too early."""

import torch
import torch.distributed as dist
from _ranks import on_two_ranks

from compile_lessons import Table, show

# region functions
# private: the operators below dist.all_reduce
c10d = torch.ops._c10d_functional


def without_wait(x):
    total = c10d.all_reduce(x * 2, "sum", dist.group.WORLD.group_name)
    return total, total + 1


def with_wait(x):
    total = c10d.all_reduce(x * 2, "sum", dist.group.WORLD.group_name)
    return c10d.wait_tensor(total) + 1


# endregion
def compare(rank):
    signal = dist.new_group()
    x = torch.ones(4)
    right = torch.compile(with_wait)(x)
    if rank == 1:
        dist.barrier(group=signal)  # until rank 0 has its result
    total, early = torch.compile(without_wait)(x)
    if rank == 0:
        dist.barrier(group=signal)
    c10d.wait_tensor(total)
    return [["with wait_tensor", right.tolist()], ["without", early.tolist()]]


with torch.no_grad():
    rows = on_two_ranks(compare)
show(Table(["function", "result of rank 0"], rows))
# region checks
assert [row[1] for row in rows] == [[5.0] * 4, [3.0] * 4]
# endregion
