# /// lesson
# raises = {type = "Unsupported", message = "Data-dependent branching"}
# ///
"""With fullgraph=True a break is an error at the first call."""

# region copy
import torch


def safe_sqrt(x):
    if x.sum() < 0:
        x = -x
    return torch.sqrt(x)


compiled = torch.compile(safe_sqrt, fullgraph=True)  # a graph break is now an error
# endregion
compiled(torch.ones(8))
