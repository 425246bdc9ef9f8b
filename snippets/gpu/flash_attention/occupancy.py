# /// lesson
# needs = ["triton"]
# ///
"""Registers decide how many programs share a multiprocessor of an H200."""

import torch
from attention import attention_kernel
from triton.tools.tensor_descriptor import TensorDescriptor

from compile_lessons import Table, show
from compile_lessons.gpu import compile_kernel


def compile_attention(BN, maxnreg):
    """Compile the kernel for blocks of 128 queries and BN keys."""
    x = torch.empty(4096, 128, dtype=torch.bfloat16)
    blocks = [128, BN, BN, 128]
    described = [TensorDescriptor.from_tensor(x, [rows, 128]) for rows in blocks]
    sizes = {"D": 128, "BM": 128, "BN": BN}
    options = {"num_warps": 8, "num_stages": 2, "maxnreg": maxnreg}
    return compile_kernel(attention_kernel, *described, 1024, 0.1, **sizes, **options)


rows = []
for BN, maxnreg in ((128, None), (64, None), (64, 128)):
    code = compile_attention(BN, maxnreg)
    spills = code.spill_stores + code.spill_loads
    shared = f"{code.shared / 1024:.0f} KiB"
    row = [f"128 x {BN}", maxnreg or "", code.registers, spills, shared]
    rows.append([*row, code.occupancy.blocks])
columns = ["tile", "maxnreg", "registers", "spills", "shared memory"]
show(Table([*columns, "programs at once"], rows))
# region checks
assert [row[-1] for row in rows] == [1, 1, 2]
assert [row[3] for row in rows] == [0, 0, 0]
# endregion
