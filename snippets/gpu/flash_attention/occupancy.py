# /// lesson
# needs = ["triton"]
# ///
"""Registers decide how many programs share a multiprocessor of an H200."""

import torch
from attention import attention_kernel
from triton.tools.tensor_descriptor import TensorDescriptor

from compile_lessons import Table, show
from compile_lessons.gpu import compile_kernel

x = torch.empty(4096, 128, dtype=torch.bfloat16)
rows, codes = [], {}
for BM, BN, warps, stages, maxnreg in ((128, 128, 8, 2, None), (128, 64, 8, 2, None), (128, 64, 8, 2, 128)):
    described = [TensorDescriptor.from_tensor(x, [size, 128]) for size in (BM, BN, BN, BM)]
    sizes = {"D": 128, "BM": BM, "BN": BN, "num_warps": warps, "num_stages": stages, "maxnreg": maxnreg}
    code = codes[BN, maxnreg] = compile_kernel(attention_kernel, *described, 1024, 0.1, **sizes)
    spills = code.spill_stores + code.spill_loads
    shared = f"{code.shared / 1024:.0f} KiB"
    rows.append([f"{BM} x {BN}", maxnreg or "", code.registers, spills, shared, code.occupancy.blocks])
show(Table(["tile", "maxnreg", "registers", "spills", "shared memory", "programs at once"], rows))
# region checks
assert [code.occupancy.blocks for code in codes.values()] == [1, 1, 2]
assert all(code.spill_stores + code.spill_loads == 0 for code in codes.values())
# endregion
