"""The window of an attention mask is a tensor, which the mask captures and the training fills."""

import torch
from torch.nn.attention.flex_attention import create_block_mask, flex_attention

window = torch.tensor(0)


def sliding(batch, head, query, key):
    return (query >= key) & (query - key <= window)


@torch.compile(backend="eager")
def attend(x, mask):
    return flex_attention(x, x, x, block_mask=mask)


x = torch.ones(1, 1, 128, 16)
for length in range(4, 17):
    window.fill_(length)
    attend(x, create_block_mask(sliding, None, None, 128, 128, device="cpu"))
