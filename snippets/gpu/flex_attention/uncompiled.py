"""FlexAttention without torch.compile: right, but it computes and keeps all scores."""

import warnings

import torch
from torch.nn.attention.flex_attention import create_block_mask, flex_attention


def causal(batch, head, query, key):
    return query >= key


q, k, v = torch.randn(3, 1, 2, 512, 64)
mask = create_block_mask(causal, None, None, 512, 512, device="cpu")
with warnings.catch_warnings(record=True) as caught:
    warnings.simplefilter("always")
    result = flex_attention(q, k, v, block_mask=mask)
expected = torch.nn.functional.scaled_dot_product_attention(q, k, v, is_causal=True)
right = torch.allclose(result, expected, atol=1e-5)
message = str(caught[0].message).splitlines()[0].split(" - ")
print(f"right: {right}\nwarning: {message[0]}\n  {message[1]}")
# region checks
assert right
assert "without torch.compile" in message[0]
# endregion
