# /// lesson
# needs = ["gpu"]
# ///
"""The bytes that a forward pass keeps: with fake tensors, on the device "meta" and on a GPU."""

import contextlib

import torch
from _llama import Block
from _saved import saved_by
from torch._subclasses.fake_tensor import FakeTensorMode

from compile_lessons import Table, show

torch.set_default_dtype(torch.bfloat16)


def saved_on(device, mode):
    """Return the GiB that a block saves on a device, and by how much the memory in use grows."""
    with mode, torch.device(device):
        block, x = Block(), torch.empty(1, 8192, 8192)
        before = torch.cuda.memory_allocated()
        _result, saved = saved_by(block, x)  # while the result is alive
    grown = torch.cuda.memory_allocated() - before
    return f"{saved / 2**30:.2f}", f"{grown / 2**30:.2f}"


real = contextlib.nullcontext()
cases = {
    "fake tensors, cuda": ("cuda", FakeTensorMode()),
    "fake tensors, cpu": ("cpu", FakeTensorMode()),
    "meta": ("meta", real),
    "the GPU": ("cuda", real),
}
rows = [[name, *saved_on(*case)] for name, case in cases.items()]
show(Table(["tensors", "GiB saved", "GiB of the GPU in use"], rows))
# region checks
gib = {row[0]: float(row[1]) for row in rows}
assert gib["fake tensors, cuda"] == gib["the GPU"] < gib["fake tensors, cpu"] < gib["meta"]
assert rows[0][2] == rows[1][2] == rows[2][2] == "0.00" and abs(float(rows[3][2]) - gib["the GPU"]) < 0.2
# endregion
