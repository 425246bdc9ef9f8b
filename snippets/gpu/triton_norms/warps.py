# /// lesson
# needs = ["triton"]
# ///
"""More warps per row: fewer registers per thread, and more warps on a multiprocessor."""

import torch
from rms_norm import rms_norm_kernel

from compile_lessons import Table, show
from compile_lessons.gpu import compile_kernel

x, weight = torch.empty(64, 16384, dtype=torch.bfloat16), torch.empty(16384, dtype=torch.bfloat16)
rows, codes = [], {}
for warps in (2, 4, 8, 16, 32):
    arguments = (x, weight, x, 64, 16384, 1e-6)
    code = codes[warps] = compile_kernel(rms_norm_kernel, *arguments, ROWS=1, BLOCK=16384, num_warps=warps)
    spills = code.spill_stores + code.spill_loads
    rows.append([warps, 16384 // (32 * warps), code.registers, spills, f"{code.occupancy.share:.0%}"])
show(Table(["num_warps", "elements per thread", "registers per thread", "spills", "occupancy"], rows))

spills_2 = codes[2].spill_stores + codes[2].spill_loads
# region checks
assert spills_2 > 0 and all(code.spill_stores == 0 for warps, code in codes.items() if warps >= 8)
assert codes[2].registers == 255 and codes[32].registers < codes[8].registers
# endregion
