# /// lesson
# needs = ["compiler"]
# ///
"""The mask's tensor changes in place, and the blocks of the mask don't."""

import torch
from torch.nn.attention.flex_attention import create_block_mask, flex_attention
from torch.nn.functional import scaled_dot_product_attention as sdpa

length = 512
documents = torch.arange(length) // 128


def same_document(batch, head, query, key):
    return documents[query] == documents[key]


flex = torch.compile(flex_attention)
q, k, v = torch.randn(3, 1, 2, length, 64)
old = create_block_mask(same_document, None, None, length, length, device="cpu")
documents.copy_(torch.arange(length) // 200)  # the next batch
new = create_block_mask(same_document, None, None, length, length, device="cpu")
expected = sdpa(q, k, v, attn_mask=documents[:, None] == documents)

wrong = {}
for name, mask in {"old blocks": old, "new blocks": new}.items():
    error = (flex(q, k, v, block_mask=mask) - expected).abs().amax((0, 1, 3))
    wrong[name] = int((error > 1e-4).sum())
    print(f"{name}: {wrong[name]} of {length} queries are wrong")
# region checks
assert wrong["old blocks"] > 100
assert wrong["new blocks"] == 0
# endregion
