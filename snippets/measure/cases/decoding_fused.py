# /// lesson
# needs = ["triton"]
# memory = 8192
# ///
"""Products written as sums: one kernel for norm, two products and SwiGLU."""

import torch
import torch.nn.functional as F
from _llama import normed_sums

from compile_lessons import capture


def norm_products_swiglu(x, gain, gate_weight, up_weight):
    gate, up = normed_sums(x, gain, gate_weight, up_weight)
    return F.silu(gate) * up


x = torch.randn(1, 4096).bfloat16()
gain = torch.ones(4096).bfloat16()
gate_weight, up_weight = torch.zeros(2, 11008, 4096, dtype=torch.bfloat16)
captured = capture(norm_products_swiglu, target="h200", machine_code=False)
with torch.no_grad():
    [kernel] = captured(x, gain, gate_weight, up_weight).kernels
_, loop = kernel.source.split("for r0_offset", 1)
shown = ("tl.load", "for r0_offset", "tl.sum(", "tl.store")
for line in loop.splitlines():
    if any(name in line for name in shown):
        print(line)

# region checks
assert kernel.source.count("tl.load(") == 4
assert kernel.source.count("tl.sum(") == 3
assert kernel.source.count("tl.store(") == 1
# endregion
