"""The memory budget: fewer bytes saved, more operators recomputed."""

import torch
from torch._functorch import config

from compile_lessons import Table, capture, show


def mlp(x, w1, w2, w3):
    return torch.relu(torch.relu(x @ w1) @ w2) @ w3


inputs = [torch.rand(256, 256, requires_grad=True) for _ in range(4)]
no_new_memory = ("primals", "permute")  # inputs, and views of what is kept anyway
rows = []
for budget in (1.0, 0.5, 0.0):
    config.activation_memory_budget = budget
    [graph] = capture(mlp, until="aot")(*inputs).graphs
    results = [
        value for value in graph.saved if not value.name.startswith(no_new_memory)
    ]
    saved_kib = sum(value.bytes for value in results) // 1024
    matmuls = sum(node.target == "aten.mm.default" for node in graph.backward.calls)
    rows.append([budget, saved_kib, matmuls])
show(Table(["budget", "KiB saved", "matmuls in the backward graph"], rows))
# region checks
assert [row[1:] for row in rows] == [[512, 6], [256, 7], [0, 8]]
# endregion
