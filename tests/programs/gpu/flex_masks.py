"""Each batch has documents of other lengths, and a mask of FlexAttention is made for it in a new function."""

import torch
from torch.nn.attention.flex_attention import create_block_mask, flex_attention

attention = torch.compile(flex_attention)
q, k, v = (torch.randn(1, 4, 512, 64, device="cuda") for _ in range(3))


def mask_of(length):
    def same_document(b, h, q_index, kv_index):
        return q_index // length == kv_index // length

    return create_block_mask(same_document, None, None, 512, 512, device="cuda")


for length in [64] * 8 + [32, 128, 256, 96, 160]:
    attention(q, k, v, block_mask=mask_of(length))  # advice: late-compile
