# /// lesson
# raises = {type = "UncapturedHigherOrderOpError", message = "same metadata"}
# ///
"""A loop body that grows its tensor."""

import torch


@torch.compile(backend="eager", fullgraph=True)
def grow(x):
    return torch.while_loop(
        lambda x: x.sum() < 100, lambda x: (torch.cat([x, x]),), (x,)
    )


grow(torch.ones(4))
