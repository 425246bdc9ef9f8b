# /// lesson
# needs = ["triton"]
# ///
"""One function for two GPUs, down to machine code."""

import torch

from compile_lessons import Explorer, capture, show


def quick_gelu(x):
    return x * torch.sigmoid(1.702 * x)


x = torch.linspace(-4, 4, 512)
captures = {
    "H200": capture(quick_gelu, target="h200")(x),
    "A100": capture(quick_gelu, target="a100")(x),
}
show(Explorer(captures, panes=["python", "kernels", "ptx", "sass"]))
# region checks
h200, a100 = (captures[name].gpu_kernels[0].code for name in captures)
assert ".target sm_90" in h200.ptx and ".target sm_80" in a100.ptx
assert h200.sass != a100.sass
# endregion
