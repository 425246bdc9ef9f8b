"""Views that overlap, after a call with tensors that did not."""

import torch

from compile_lessons import Table, show


def bump_then_double(a, b):
    a.add_(1)
    return b * 2


def overlapping():
    whole = torch.zeros(6)
    return whole[:4], whole[2:]


rows = [["not compiled", str(bump_then_double(*overlapping()).tolist())]]
for first in ("overlapping views", "separate tensors"):
    torch.compiler.reset()
    compiled = torch.compile(bump_then_double, backend="aot_eager")
    if first == "separate tensors":
        compiled(torch.zeros(4), torch.zeros(4))
    rows.append([f"compiled with {first}", str(compiled(*overlapping()).tolist())])
show(Table(["", "result for overlapping views"], rows))
right, reused = rows[1][1], rows[2][1]
assert rows[0][1] == right == "[2.0, 2.0, 0.0, 0.0]"
assert reused == "[0.0, 0.0, 0.0, 0.0]"  # the second argument was read as if nothing had changed it
