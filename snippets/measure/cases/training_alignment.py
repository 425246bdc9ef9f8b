"""Rows of logits: which ones start at multiples of 16 bytes."""

import torch

from compile_lessons import Table, show

rows = []
for vocabulary in (50257, 50264, 50304):
    logits = torch.empty(4, vocabulary, dtype=torch.bfloat16, device="meta")
    row_bytes = logits.stride(0) * logits.element_size()
    starts = [row * row_bytes % 16 for row in range(4)]
    aligned = "no" if any(starts) else "yes"
    rows.append([vocabulary, row_bytes, " ".join(map(str, starts)), aligned])
columns = ["vocabulary", "bytes per row", "rows 0 to 3 begin at, modulo 16"]
show(Table([*columns, "16-byte loads"], rows))

# region checks
assert [row[3] for row in rows] == ["no", "yes", "yes"]
# endregion
