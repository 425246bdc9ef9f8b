# /// lesson
# needs = ["triton"]
# ///
"""num_stages: each stage holds one more block of A and B in shared memory."""

import torch
from matmul import matmul_kernel
from matmul_tma import matmul_kernel as tma_kernel
from triton.tools.tensor_descriptor import TensorDescriptor

from compile_lessons import Table, show
from compile_lessons.gpu import compile_kernel

a = torch.empty(1024, 1024, dtype=torch.bfloat16)
blocks = ([128, 64], [64, 256], [128, 256])
described = [TensorDescriptor.from_tensor(a, block) for block in blocks]
tile = {"BM": 128, "BN": 256, "BK": 64, "GROUP": 8, "num_warps": 8}


def compile_with(name, stages):
    sizes = (1024, 1024, 1024)
    options = tile | {"num_stages": stages}
    if name == "pointers":
        return compile_kernel(matmul_kernel, a, a, a, *sizes, **options)
    return compile_kernel(tma_kernel, *described, *sizes, RELU=False, **options)


rows = []
for name in ("pointers", "descriptors"):
    for stages in (2, 3, 4):
        try:
            code = compile_with(name, stages)
        except ValueError:  # no multiprocessor has that much shared memory: 227 KiB
            rows.append([name, stages, "too much", "", "", ""])
            continue
        instructions = [code.sass.count(opcode) for opcode in ("HGMMA", "UTMALDG")]
        shared = f"{code.shared / 1024:.0f} KiB"
        rows.append([name, stages, shared, code.registers, *instructions])
columns = ["kernel", "num_stages", "shared memory", "registers", "HGMMA", "UTMALDG"]
show(Table(columns, rows))
# region checks
compiled = {(row[0], row[1]): row[4:] for row in rows if row[2] != "too much"}
assert all(products > 0 for products, _ in compiled.values())
assert compiled["descriptors", 3][1] > 0
assert compiled["pointers", 3][1] == 0
assert ("descriptors", 4) not in compiled
assert ("pointers", 4) in compiled
# endregion
