# /// lesson
# raises = {type = "UncapturedHigherOrderOpError", message = "input mutation"}
# ///
"""A branch that changes its input."""

import torch


@torch.compile(backend="eager")
def step(x):
    return torch.cond(x.sum() > 0, lambda x: x.add_(1), lambda x: x.cos(), (x,))


step(torch.ones(4))
