"""Attention in packed documents with a learned bias, as FlexAttention and as SDPA."""

import torch
from torch.nn.attention.flex_attention import create_block_mask, flex_attention
from torch.nn.functional import scaled_dot_product_attention as sdpa


def attention(q, k, v, slopes, documents):
    def distance(score, batch, head, query, key):
        return score - slopes[head] * (query - key)

    def mask(batch, head, query, key):
        return (query >= key) & (documents[query] == documents[key])

    length = len(documents)
    blocks = create_block_mask(mask, None, None, length, length, device=q.device)
    return flex_attention(q, k, v, distance, blocks, enable_gqa=True)


def dense(q, k, v, slopes, documents):
    index = torch.arange(len(documents), device=q.device)
    distance = index[:, None] - index
    visible = (distance >= 0) & (documents[:, None] == documents)
    bias = torch.where(visible, -slopes[:, None, None] * distance, -torch.inf)
    return sdpa(q, k, v, attn_mask=bias.to(q.dtype), enable_gqa=True)


def tensors(length, device):
    """Return q with 16 heads, k and v with 4, and a slope for each head of q."""
    shapes = [(2, number, length, 64) for number in (16, 4, 4)]
    q, k, v = (torch.randn(shape, device=device).bfloat16() for shape in shapes)
    slopes = torch.full((16,), 0.01, device=device)
    return [tensor.requires_grad_() for tensor in (q, k, v, slopes)]


# region checks
with torch.no_grad():
    inputs = [tensor.double() for tensor in tensors(256, "cpu")]
    documents = torch.arange(256) // 100
    flex = torch.compile(attention, backend="eager")
    torch.testing.assert_close(flex(*inputs, documents), dense(*inputs, documents))
# endregion
