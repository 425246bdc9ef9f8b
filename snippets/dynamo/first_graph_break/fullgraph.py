# /// lesson
# raises = {type = "Unsupported", message = "Data-dependent branching"}
# ///
"""With fullgraph=True a break is an error."""

import torch


@torch.compile(backend="eager", fullgraph=True)
def safe_sqrt(x):
    if x.sum() < 0:
        x = -x
    return torch.sqrt(x)


safe_sqrt(torch.ones(8))
