# /// lesson
# needs = ["triton"]
# ///
"""Four loops before and after fusion, side by side."""

import torch

from compile_lessons import Explorer, capture, show


def attention_weights(scores, mask):
    scores = scores + mask
    return torch.softmax(scores, -1), scores.amax(-1)


scores = torch.randn(64, 1024)
mask = torch.randn(64, 1024)
nothing_fuses = {"max_fusion_size": 1}
alone = capture(attention_weights, target="h200", options=nothing_fuses)
fused = capture(attention_weights, target="h200")
captures = {
    "without fusion": alone(scores, mask),
    "with fusion": fused(scores, mask),
}
show(Explorer(captures, panes=["python", "forward", "kernels"]))
# region checks
before, after = (captures[name].kernels for name in captures)
assert (len(before), len(after)) == (4, 1)
# endregion
