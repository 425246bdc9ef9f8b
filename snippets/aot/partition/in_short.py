# /// lesson
# needs = ["compiler"]
# ///
"""A checkpoint around each block: the backward pass computes the block again."""

import torch
from torch.utils.checkpoint import checkpoint

blocks = [torch.nn.Linear(8, 8) for _ in range(4)]


@torch.compile
def model(x):
    for block in blocks:
        x = checkpoint(block, x, use_reentrant=False)
    return x


model(torch.ones(4, 8)).sum().backward()

# region checks
gradient = blocks[0].weight.grad.clone()
blocks[0].weight.grad = None
x = torch.ones(4, 8)
for block in blocks:
    x = block(x)
x.sum().backward()
torch.testing.assert_close(gradient, blocks[0].weight.grad)
# endregion
