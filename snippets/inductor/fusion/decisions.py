# /// lesson
# needs = ["triton"]
# memory = 8192
# ///
"""What the scheduler decided about each pair of loops."""

import torch

from compile_lessons import Parts, capture, show


def attention_weights(scores, mask):
    scores = scores + mask
    return torch.softmax(scores, -1), scores.amax(-1)


scores = torch.randn(64, 1024)
mask = torch.randn(64, 1024)
pipeline = capture(attention_weights, target="h200")(scores, mask)
[lowered] = pipeline.graphs[0].inductor
show(Parts(lowered.decisions))

# region checks
[fused] = lowered.fused
[kernel] = lowered.kernels
assert len(lowered.ir) == len(fused.members) == 4
assert all(decision.fused for decision in lowered.decisions)
assert kernel.name.startswith("triton_per_fused")
# endregion
