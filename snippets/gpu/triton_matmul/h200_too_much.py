# /// lesson
# needs = ["gpu", "triton"]
# memory = 16384
# ///
"""A block that no multiprocessor has room for: the error names what is too large."""

import torch
from matmul import matmul
from triton.runtime.errors import OutOfResources

a = torch.ones(4096, 4096, device="cuda", dtype=torch.bfloat16)
try:
    matmul(a, a, BK=128)
except OutOfResources as error:
    print(error)
