# /// lesson
# needs = ["triton"]
# env = {TRITON_INTERPRET = "1"}
# ///
"""The kernel matches scaled_dot_product_attention, whatever the block sizes."""

import torch
from attention import attention

torch.manual_seed(0)
q, k, v = torch.randn(3, 1, 2, 128, 32)
expected = torch.nn.functional.scaled_dot_product_attention(q, k, v, is_causal=True)
largest = 0.0
for BM, BN in ((128, 32), (64, 64), (32, 16)):
    difference = (attention(q, k, v, BM=BM, BN=BN) - expected).abs().max().item()
    largest = max(largest, difference)
    print(f"{BM} queries, {BN} keys at a time: differs by at most {difference:.0e}")
# region checks
assert largest < 1e-5
# endregion
