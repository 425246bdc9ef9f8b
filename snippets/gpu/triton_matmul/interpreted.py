# /// lesson
# needs = ["triton"]
# env = {TRITON_INTERPRET = "1"}
# ///
"""Both matmuls match torch's, at sizes that aren't multiples of a tile."""

import torch
from matmul import matmul
from matmul_tma import matmul as matmul_tma

small = {"BM": 32, "BN": 32, "BK": 16}
a = torch.randn(100, 72)
b = torch.randn(72, 88)
differences = {
    "pointers": matmul(a, b, **small) - a @ b,
    "descriptors, 3 programs": matmul_tma(a, b, programs=3, **small) - a @ b,
    "descriptors, ReLU": matmul_tma(a, b, relu=True, **small) - (a @ b).relu(),
}
for name, difference in differences.items():
    print(f"{name}: differs by at most {difference.abs().max():.0e}")
# region checks
assert max(difference.abs().max() for difference in differences.values()) < 1e-4
# endregion
