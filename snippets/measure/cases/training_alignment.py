"""Rows of logits: 50257 columns of bf16 don't start at multiples of 16 bytes, 50304 columns do."""

import torch

from compile_lessons import Table, show

rows, aligned = [], {}
for vocabulary in (50257, 50264, 50304):
    logits = torch.empty(4, vocabulary, dtype=torch.bfloat16, device="meta")
    row_bytes = logits.stride(0) * logits.element_size()
    starts = [row * row_bytes % 16 for row in range(4)]
    aligned[vocabulary] = not any(starts)
    rows.append([vocabulary, row_bytes, " ".join(map(str, starts)), "yes" if aligned[vocabulary] else "no"])
show(Table(["vocabulary", "bytes per row", "rows 0 to 3 begin at, modulo 16", "16-byte loads"], rows))

# region checks
assert aligned == {50257: False, 50264: True, 50304: True}
# endregion
