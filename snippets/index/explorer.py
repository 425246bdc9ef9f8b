# /// lesson
# needs = ["triton"]
# ///
"""Three lines, each of which becomes a kernel of its own for an H200."""

import torch

from compile_lessons import Explorer, capture, show


def block(x, weight):
    centered = x - x.mean(-1, keepdim=True)
    hidden = centered @ weight
    return x + torch.nn.functional.gelu(hidden)


x = torch.randn(64, 512, dtype=torch.bfloat16)
weight = torch.randn(512, 512, dtype=torch.bfloat16)
pipeline = capture(block, target="h200")(x, weight)
show(Explorer(pipeline, panes=["python", "kernels", "code"]))
# region checks
assert [kernel.kind for kernel in pipeline.kernels] == ["triton", "extern", "triton"]
# endregion
