# /// lesson
# needs = ["triton"]
# env = {TRITON_INTERPRET = "1"}
# ///
"""The interpreter computes tl.dot of bfloat16 wrong, without an error."""

import torch
import triton
from matmul import matmul

from compile_lessons import Table, show

torch.manual_seed(0)
rows = []
errors = {}
for dtype in (torch.float32, torch.float16, torch.bfloat16):
    a, b = torch.randn(2, 32, 32).to(dtype)
    exact = a.double() @ b.double()
    result = matmul(a, b, BM=16, BN=16, BK=16).double()
    errors[dtype] = ((result - exact).norm() / exact.norm()).item()
    rows.append([str(dtype).removeprefix("torch."), f"{errors[dtype]:.0e}"])
show(Table(["inputs", "relative error in the interpreter"], rows))
version = triton.__version__
# region checks
assert errors[torch.float32] < 1e-5
assert errors[torch.float16] < 1e-2
assert errors[torch.bfloat16] > 1e6
# endregion
