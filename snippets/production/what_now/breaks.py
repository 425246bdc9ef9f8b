# /// lesson
# env = {TORCH_LOGS = "graph_breaks", TORCH_LOGS_FORMAT = "%(message)s"}
# ///
"""Branching on an attention mask breaks the graph; let the caller decide instead."""

import torch
from torch.nn.functional import scaled_dot_product_attention

from compile_lessons import Table, keep_graphs, show


# region before
def attend(x, mask):
    h = x * 0.5
    if mask.all():  # nothing is masked: use the faster kernel
        return scaled_dot_product_attention(h, h, h)
    return scaled_dot_product_attention(h, h, h, attn_mask=mask)


# endregion
# region after
def attend_or_not(x, mask=None):  # the data loader knows whether it padded
    h = x * 0.5
    return scaled_dot_product_attention(h, h, h, attn_mask=mask)


# endregion
x = torch.ones(2, 4, 6, 8)
mask = torch.ones(6, 6, dtype=torch.bool)
rows = []
for function in (attend, attend_or_not):
    kept = keep_graphs()
    torch.compile(function, backend=kept)(x, mask)
    rows.append([function.__name__, len(kept.graphs)])
show(Table(["function", "graphs in one call"], rows))

# region checks
assert [row[1] for row in rows] == [2, 1]
# endregion
