# /// lesson
# needs = ["triton"]
# ///
"""Group norm and SiLU for an H200: which kernels Inductor writes."""

import torch
import torch.nn.functional as F

from compile_lessons import capture


def norm_silu(x, weight, bias):
    return F.silu(F.group_norm(x, 32, weight, bias))


x = torch.randn(2, 320, 64, 64, dtype=torch.bfloat16)
weight, bias = torch.ones(2, 320, dtype=torch.bfloat16)
with torch.no_grad():
    pipeline = capture(norm_silu, target="h200", machine_code=False)(x, weight, bias)
for kernel in pipeline.kernels:
    print(kernel.name)
kernels = len(pipeline.kernels)

# region checks
assert kernels == 3 and ["silu" in kernel.name for kernel in pipeline.kernels] == [
    False,
    False,
    True,
]
# endregion
