# /// lesson
# raises = {type = "UncapturedHigherOrderOpError", message = "same metadata"}
# ///
"""A loop body that grows its tensor."""

import torch
from torch._higher_order_ops.while_loop import while_loop  # torch has no public name


@torch.compile(backend="eager", fullgraph=True)
def grow(x):
    return while_loop(lambda x: x.sum() < 100, lambda x: (torch.cat([x, x]),), (x,))


grow(torch.ones(4))
