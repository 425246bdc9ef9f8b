# /// lesson
# needs = ["triton"]
# ///
"""Cross-entropy with its backward pass, for a CPU and for an H200."""

import torch
import torch.nn.functional as F

from compile_lessons import Explorer, capture, show


# region function
def loss(logits, targets):
    return F.cross_entropy(logits, targets)


# endregion
logits = torch.randn(64, 1000, requires_grad=True)
targets = torch.randint(1000, (64,))
captures = {
    "CPU": capture(loss, machine_code=False)(logits, targets),
    "H200": capture(loss, target="h200")(logits, targets),
}
show(Explorer(captures))
