"""Attend over batches, of which some are padded."""

import torch
from torch.nn.functional import scaled_dot_product_attention


@torch.compile
def attend(x, mask):
    h = x * 0.5
    if mask.all():  # nothing is masked: use the faster kernel
        return scaled_dot_product_attention(h, h, h)
    return scaled_dot_product_attention(h, h, h, attn_mask=mask)


x = torch.randn(2, 4, 6, 8)
mask = torch.ones(6, 6, dtype=torch.bool)
for _ in range(50):
    attend(x, mask)
