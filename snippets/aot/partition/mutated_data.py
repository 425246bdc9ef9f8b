"""The same change through w.data: no error, and a wrong gradient; then the fix."""

import torch

from compile_lessons import Table, show


def gate(x, w):
    return x * torch.sigmoid(w)


# region before
def change_before(function):
    w = torch.ones(1, requires_grad=True)
    loss = function(torch.ones(1), w).sum()
    w.data -= 0.5  # not counted as a new version of w
    loss.backward()
    return round(w.grad.item(), 4)


# endregion
def change_after(function):
    w = torch.ones(1, requires_grad=True)
    loss = function(torch.ones(1), w).sum()
    loss.backward()
    w.data -= 0.5
    return round(w.grad.item(), 4)


compiled = torch.compile(gate, backend="aot_eager_decomp_partition")
rows = [
    ["before the backward pass", change_before(gate), change_before(compiled)],
    ["after the backward pass", change_after(gate), change_after(compiled)],
]
show(Table(["w changes", "eager gradient", "compiled gradient"], rows))
# region checks
assert rows[0][1] != rows[0][2]
assert rows[1][1] == rows[1][2] == rows[0][1]
# endregion
