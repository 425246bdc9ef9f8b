# /// lesson
# env = {TORCH_LOGS = "aot_joint_graph", TORCH_LOGS_FORMAT = "%(message)s"}
# ///
"""The joint graph in the log."""

import torch


@torch.compile(backend="aot_eager")
def half_square(w):
    return w * w / 2


half_square(torch.ones(2, requires_grad=True))
