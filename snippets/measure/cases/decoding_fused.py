# /// lesson
# needs = ["triton"]
# memory = 8192
# ///
"""Products written as sums: the kernel that Inductor writes for norm, two products and SwiGLU, without a GPU."""

import torch
import torch.nn.functional as F
from _llama import normed_sums

from compile_lessons import capture


def norm_products_swiglu(x, gain, gate, up):
    gated, raised = normed_sums(x, gain, gate, up)
    return F.silu(gated) * raised


x, gain = torch.randn(1, 4096).bfloat16(), torch.ones(4096).bfloat16()
gate, up = torch.zeros(2, 11008, 4096, dtype=torch.bfloat16)
with torch.no_grad():
    pipeline = capture(norm_products_swiglu, target="h200", machine_code=False)(x, gain, gate, up)
(kernel,) = pipeline.kernels
source = kernel.source.splitlines()
for line in source[next(i for i, line in enumerate(source) if "for r0_offset" in line) :]:
    if "tl.load" in line or "for r0_offset" in line or "tl.sum(" in line or "tl.store" in line:
        print(line)

# region checks
assert kernel.source.count("tl.load(") == 4 and kernel.source.count("tl.sum(") == 3
assert kernel.source.count("tl.store(") == 1
# endregion
