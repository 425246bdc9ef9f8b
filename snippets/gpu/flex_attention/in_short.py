# /// lesson
# needs = ["compiler"]
# ///
"""Attention that sees only the same document, compiled."""

import torch
from torch.nn.attention.flex_attention import create_block_mask, flex_attention

documents = torch.arange(512) // 200


def same_document(batch, head, query, key):
    return documents[query] == documents[key]


q, k, v = torch.randn(3, 1, 8, 512, 64)
mask = torch.compile(create_block_mask)(same_document, None, None, 512, 512, "cpu")
result = torch.compile(flex_attention)(q, k, v, block_mask=mask)
# region checks
expected = torch.nn.functional.scaled_dot_product_attention(
    q, k, v, attn_mask=documents[:, None] == documents
)
torch.testing.assert_close(result, expected)
# endregion
