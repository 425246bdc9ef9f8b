# /// lesson
# needs = ["triton"]
# ///
"""More warps per row: fewer registers per thread, more warps on a multiprocessor."""

import torch
from rms_norm import rms_norm_kernel

from compile_lessons import Table, show
from compile_lessons.gpu import compile_kernel

columns = 16384
x = torch.empty(64, columns, dtype=torch.bfloat16)
weight = torch.empty(columns, dtype=torch.bfloat16)
arguments = (x, weight, x, 64, columns, 1e-6)
rows = []
for warps in (2, 4, 8, 16, 32):
    options = {"ROWS": 1, "BLOCK": columns, "num_warps": warps}
    code = compile_kernel(rms_norm_kernel, *arguments, **options)
    elements = columns // (32 * warps)
    spills = code.spill_stores + code.spill_loads
    occupancy = f"{code.occupancy.share:.0%}"
    rows.append([warps, elements, code.registers, spills, occupancy])
titles = ["num_warps", "elements per thread", "registers per thread"]
show(Table([*titles, "spills", "occupancy"], rows))

# region checks
registers = {row[0]: row[2] for row in rows}
spills = {row[0]: row[3] for row in rows}
assert spills[2] > 0
assert spills[8] == spills[16] == spills[32] == 0
assert registers[2] == 255
assert registers[32] < registers[8]
# endregion
