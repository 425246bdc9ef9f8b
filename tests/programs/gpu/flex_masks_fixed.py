"""The masks of ``flex_masks.py`` read the documents from a tensor, so one compiled version fits all."""

import torch
from torch.nn.attention.flex_attention import create_block_mask, flex_attention

attention = torch.compile(flex_attention)
q, k, v = (torch.randn(1, 4, 512, 64, device="cuda") for _ in range(3))
document = torch.zeros(512, dtype=torch.long, device="cuda")


def same_document(b, h, q_index, kv_index):
    return document[q_index] == document[kv_index]


for length in [64] * 8 + [32, 128, 256, 96, 160]:
    document.copy_(torch.arange(512, device="cuda") // length)
    mask = create_block_mask(same_document, None, None, 512, 512, device="cuda")
    attention(q, k, v, block_mask=mask)
