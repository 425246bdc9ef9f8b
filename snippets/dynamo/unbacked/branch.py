# /// lesson
# raises = {type = "UserError", message = "Could not guard on data-dependent"}
# ///
"""Branch on a number that is computed in the graph."""

import torch


@torch.compile(backend="eager", fullgraph=True)
def head(x, counts):
    n = counts.sum().item()
    if n > 3:
        return x[:3]
    return x


head(torch.ones(8), torch.tensor([2, 3]))
