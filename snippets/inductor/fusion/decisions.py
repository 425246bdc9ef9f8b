# /// lesson
# needs = ["triton"]
# memory = 8192
# ///
"""What the scheduler decided about each pair of loops."""

# region copy
import torch

from compile_lessons import Parts, capture, show


def attention_weights(scores, mask):
    scores = scores + mask
    return torch.softmax(scores, -1), scores.amax(-1)


pipeline = capture(attention_weights, target="h200")(torch.randn(64, 1024), torch.randn(64, 1024))
[lowered] = pipeline.graphs[0].inductor
show(Parts(lowered.decisions))
# endregion
show(pipeline.kernels)
# region checks
[fused], [kernel] = lowered.fused, lowered.kernels
assert len(lowered.ir) == len(fused.members) == 4 and all(decision.fused for decision in lowered.decisions)
assert kernel.name.startswith("triton_per_fused")
# endregion
