# /// lesson
# env = {TORCH_LOGS = "graph_breaks", TORCH_LOGS_FORMAT = "%(message)s"}
# ///
"""Branching on an attention mask breaks the graph; let the caller decide instead."""

import torch
from torch.nn.functional import scaled_dot_product_attention

from compile_lessons import Table, show


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


def keep_graph(graph_module, example_inputs):
    graphs.append(graph_module)
    return graph_module.forward


x, mask, rows = torch.ones(2, 4, 6, 8), torch.ones(6, 6, dtype=torch.bool), []
for function in (attend, attend_or_not):
    graphs = []
    torch.compile(function, backend=keep_graph)(x, mask)
    rows.append([function.__name__, len(graphs)])
show(Table(["function", "graphs in one call"], rows))
# region checks
assert [row[1] for row in rows] == [2, 1]
# endregion
