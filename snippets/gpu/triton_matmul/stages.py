# /// lesson
# needs = ["triton"]
# ///
"""num_stages: each stage holds one more block of A and B in shared memory. A block can use 227 KiB."""

import torch
from matmul import matmul_kernel
from matmul_tma import matmul_kernel as tma_kernel
from triton.tools.tensor_descriptor import TensorDescriptor

from compile_lessons import Table, show
from compile_lessons.gpu import compile_kernel

a = torch.empty(1024, 1024, dtype=torch.bfloat16)
sizes, tile = (1024, 1024, 1024), {"BM": 128, "BN": 256, "BK": 64, "GROUP": 8}
described = [TensorDescriptor.from_tensor(a, block) for block in ([128, 64], [64, 256], [128, 256])]
kernels = {"pointers": (matmul_kernel, (a, a, a), {}), "descriptors": (tma_kernel, described, {"RELU": False})}
rows, codes = [], {}
for name, (kernel, tensors, options) in kernels.items():
    for stages in (2, 3, 4):
        try:
            code = compile_kernel(kernel, *tensors, *sizes, **tile, **options, num_warps=8, num_stages=stages)
        except ValueError:  # no multiprocessor has that much shared memory
            rows.append([name, stages, "too much", "", "", ""])
            continue
        codes[name, stages] = code
        instructions = [code.sass.count(opcode) for opcode in ("HGMMA", "UTMALDG")]
        rows.append([name, stages, f"{code.shared / 1024:.0f} KiB", code.registers, *instructions])
show(Table(["kernel", "num_stages", "shared memory", "registers", "HGMMA", "UTMALDG"], rows))
# region checks
assert all(code.sass.count("HGMMA") for code in codes.values())
assert "UTMALDG" in codes["descriptors", 3].sass and "UTMALDG" not in codes["pointers", 3].sass
assert ("descriptors", 4) not in codes and ("pointers", 4) in codes
# endregion
