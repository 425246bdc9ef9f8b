# /// lesson
# needs = ["gpu"]
# ///
"""The bytes that a forward pass keeps: fake tensors, the device "meta", and a GPU."""

from contextlib import nullcontext

import torch
from _llama import Block
from _saved import saved_by

# private: torch has no public name for tensors without data
from torch._subclasses.fake_tensor import FakeTensorMode

from compile_lessons import Table, show

torch.set_default_dtype(torch.bfloat16)


def saved_on(device, mode):
    """Return the GiB that a block saves, and by how much the memory in use grows."""
    with mode, torch.device(device):
        block = Block()
        x = torch.empty(1, 8192, 8192)
        before = torch.cuda.memory_allocated()
        _result, saved = saved_by(block, x)  # while the result is alive
    grown = torch.cuda.memory_allocated() - before
    return f"{saved / 2**30:.2f}", f"{grown / 2**30:.2f}"


rows = [
    ["fake tensors, cuda", *saved_on("cuda", FakeTensorMode())],
    ["fake tensors, cpu", *saved_on("cpu", FakeTensorMode())],
    ["meta", *saved_on("meta", nullcontext())],
    ["the GPU", *saved_on("cuda", nullcontext())],
]
show(Table(["tensors", "GiB saved", "GiB of the GPU in use"], rows))
# region checks
saved = {name: float(gib) for name, gib, _ in rows}
assert saved["fake tensors, cuda"] == saved["the GPU"] < saved["fake tensors, cpu"]
assert saved["fake tensors, cpu"] < saved["meta"]
*without_data, grown = (row[2] for row in rows)
assert without_data == ["0.00"] * 3
assert abs(float(grown) - saved["the GPU"]) < 0.2
# endregion
