# /// lesson
# needs = ["gpu", "triton"]
# memory = 32768
# timeout = 240
# ///
"""FlexAttention on an H200: three masks beside scaled_dot_product_attention."""

import re

import torch
from torch._inductor.utils import run_and_get_code
from torch.nn.attention.flex_attention import create_block_mask, flex_attention
from torch.nn.functional import scaled_dot_product_attention as sdpa
from triton.testing import do_bench

from compile_lessons import Table, show

batch, heads, length, window, document = 2, 16, 8192, 1024, 2048
q, k, v = (torch.randn(batch, heads, length, 128, device="cuda", dtype=torch.bfloat16) for _ in range(3))
masks = {
    "causal": lambda b, h, i, j: i >= j,
    "causal, documents of 2048": lambda b, h, i, j: (i >= j) & (i // document == j // document),
    "causal, window of 1024": lambda b, h, i, j: (i >= j) & (i - j < window),
}
flex = torch.compile(flex_attention, dynamic=False)
rows, times = [], {}
for name, mask in masks.items():
    blocks = create_block_mask(mask, None, None, length, length, device="cuda")
    index = torch.arange(length, device="cuda")
    dense = mask(0, 0, index[:, None], index)
    causal = {"is_causal": True} if name == "causal" else {"attn_mask": dense}
    result, codes = run_and_get_code(flex, q, k, v, block_mask=blocks)
    torch.testing.assert_close(result, sdpa(q, k, v, **causal), atol=0.02, rtol=0.02)
    flex_ms = do_bench(lambda blocks=blocks: flex(q, k, v, block_mask=blocks), return_mode="median")
    sdpa_ms = do_bench(lambda causal=causal: sdpa(q, k, v, **causal), return_mode="median")
    times[name] = flex_ms, sdpa_ms
    rows.append([name, f"{blocks.sparsity():.0f}%", f"{flex_ms:.2f}", f"{sdpa_ms:.2f}", f"{sdpa_ms / flex_ms:.1f}x"])
show(Table(["mask", "blocks skipped", "FlexAttention, ms", "SDPA, ms", "SDPA / Flex"], rows))
(causal_flex, causal_sdpa), (document_flex, document_sdpa), (window_flex, window_sdpa) = times.values()
part = re.search(r"[^\n]*m = get_bounded_indices.*?mask_mod_output = [^\n]*\n", "".join(codes), re.S)
print(part[0] if part else "")
# region checks
assert window_flex < causal_flex and window_flex < window_sdpa
# endregion
