# /// lesson
# needs = ["triton"]
# memory = 8192
# ///
"""The two kernels of the file as it is given, beside the lines that they came from."""

import torch
from stub import QKNorm

from compile_lessons import Explorer, capture, show

module = QKNorm()
qkv = torch.randn(2, 12, 128, 64)
with torch.inference_mode():
    pipeline = capture(module, target="h200")(qkv)
show(Explorer(pipeline, panes=["python", "forward", "ir", "kernels"]))
# region checks
assert len(pipeline.kernels) == 2
# endregion
