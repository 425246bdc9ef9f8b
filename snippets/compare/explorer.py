# /// lesson
# needs = ["triton"]
# ///
"""Every stage of softmax, for a CPU and for an H200."""

import torch
from five import softmax

from compile_lessons import Explorer, capture, show

x = torch.ones(64, 128)
captures = {
    "CPU": capture(softmax, machine_code=False)(x),
    "H200": capture(softmax, target="h200")(x),
}
show(Explorer(captures, panes=["python", "forward", "kernels"]))
# region checks
for pipeline in captures.values():
    assert len(pipeline.kernels) == 1
# endregion
