"""The same change through w.data: no error, and a wrong gradient. Fix: change it after the backward pass."""

import torch

from compile_lessons import Table, show


def gate(x, w):
    return x * torch.sigmoid(w)


def gradient(function, change_first):
    x, w = torch.ones(1), torch.ones(1, requires_grad=True)
    loss = function(x, w).sum()
    if change_first:
        w.data -= 0.5  # not counted as a new version of w
    loss.backward()
    if not change_first:
        w.data -= 0.5
    return round(w.grad.item(), 4)


compiled = torch.compile(gate, backend="aot_eager_decomp_partition")
rows = [
    ["before the backward pass", gradient(gate, True), gradient(compiled, True)],
    ["after the backward pass", gradient(gate, False), gradient(compiled, False)],
]
show(Table(["w changes", "eager gradient", "compiled gradient"], rows))
# region checks
assert rows[0][1] != rows[0][2] and rows[1][1] == rows[1][2] == rows[0][1]
# endregion
