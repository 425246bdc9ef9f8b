# /// lesson
# raises = {type = "Unsupported", message = "Data-dependent branching"}
# ///
"""Make a graph break an error at the first call."""

import torch


def safe_sqrt(x):
    if x.sum() < 0:
        x = -x
    return torch.sqrt(x)


compiled = torch.compile(safe_sqrt, fullgraph=True)  # a graph break is now an error
compiled(torch.ones(8))
