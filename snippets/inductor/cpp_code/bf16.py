# /// lesson
# needs = ["compiler"]
# ///
"""SiLU in bfloat16: converted to float32 after the load, and back before the store."""

import torch

from compile_lessons import capture


def silu(x):
    return x * torch.sigmoid(x)


x = torch.randn(65_536).bfloat16()
[kernel] = capture(silu, machine_code=False)(x).kernels
lines = [line.strip() for line in kernel.source.splitlines()]
body = [line for line in lines if "auto tmp" in line or ".store(" in line]
print("\n".join(body))
# region checks
assert "at::vec::convert<float,2,at::BFloat16,1>" in body[1]
assert len(body) == 6
# endregion
