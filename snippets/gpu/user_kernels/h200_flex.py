# /// lesson
# needs = ["gpu", "triton"]
# memory = 32768
# timeout = 240
# ///
"""FlexAttention on an H200: three masks beside scaled_dot_product_attention."""

import re

import torch

# private: torch has no public way to get Inductor's code as a string
from torch._inductor.utils import run_and_get_code
from torch.nn.attention.flex_attention import create_block_mask, flex_attention
from torch.nn.functional import scaled_dot_product_attention as sdpa
from triton.testing import do_bench

from compile_lessons import Table, show

length = 8192
shape = (2, 16, length, 128)  # batch, heads, length, width
q, k, v = (torch.randn(shape, device="cuda", dtype=torch.bfloat16) for _ in range(3))
window = 1024
document = 2048


# region masks
def causal(b, h, i, j):
    return i >= j


def causal_in_documents(b, h, i, j):
    return (i >= j) & (i // document == j // document)


def causal_in_window(b, h, i, j):
    return (i >= j) & (i - j < window)


flex = torch.compile(flex_attention, dynamic=False)


def measure(mask):
    """Return the skipped blocks, the ms of FlexAttention and SDPA, and the code."""
    blocks = create_block_mask(mask, None, None, length, length, device="cuda")
    index = torch.arange(length, device="cuda")
    dense = mask(0, 0, index[:, None], index)
    options = {"is_causal": True} if mask is causal else {"attn_mask": dense}
    result, codes = run_and_get_code(flex, q, k, v, block_mask=blocks)
    torch.testing.assert_close(result, sdpa(q, k, v, **options), atol=0.02, rtol=0.02)
    flex_ms = do_bench(lambda: flex(q, k, v, block_mask=blocks), return_mode="median")
    sdpa_ms = do_bench(lambda: sdpa(q, k, v, **options), return_mode="median")
    return blocks.sparsity(), flex_ms, sdpa_ms, "".join(codes)


# endregion
masks = {
    "causal": causal,
    "causal, documents of 2048": causal_in_documents,
    "causal, window of 1024": causal_in_window,
}
measured = {name: measure(mask) for name, mask in masks.items()}
columns = ["mask", "blocks skipped", "FlexAttention, ms", "SDPA, ms", "SDPA / Flex"]
rows = [
    [
        name,
        f"{skipped:.0f}%",
        f"{flex_ms:.2f}",
        f"{sdpa_ms:.2f}",
        f"{sdpa_ms / flex_ms:.1f}x",
    ]
    for name, (skipped, flex_ms, sdpa_ms, _) in measured.items()
]
show(Table(columns, rows))
code = measured["causal, window of 1024"][-1]
part = re.search(
    r"[^\n]*m = get_bounded_indices.*?mask_mod_output = [^\n]*\n", code, re.S
)
print(part[0] if part else "")
# region checks
_, causal_flex, causal_sdpa, _ = measured["causal"]
_, window_flex, window_sdpa, _ = measured["causal, window of 1024"]
assert window_flex < causal_flex
assert window_flex < window_sdpa
# endregion
