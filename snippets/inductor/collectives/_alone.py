"""A process group without other processes, which sends nothing."""

import re

import torch.distributed as dist

# private: the store of a group that sends nothing
from torch.testing._internal.distributed.fake_pg import FakeStore


def join_group(size):
    """Make this process rank 0 of ``size``, as far as the compiler can tell."""
    dist.init_process_group("fake", rank=0, world_size=size, store=FakeStore())


def calls(kernels):
    """Return the calls of the code, in order. A wait has its collective's number."""
    names = []
    numbers = {}
    for kernel in kernels:
        name = kernel.name.removeprefix("extern_kernels.").removeprefix("cpp_")
        if "_c10d_functional" in name:
            name = re.sub(r"_into|_tensor|_out|_$", "", name.split(".")[-2])
            [buffer] = kernel.stores
            number = numbers.setdefault(buffer, len(numbers) + 1)
            name = f"{name} {number}"
        names.append(re.sub(r"_\d+$", "", name))
    return names
