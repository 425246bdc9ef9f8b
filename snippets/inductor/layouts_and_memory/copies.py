# /// lesson
# needs = ["compiler"]
# ///
"""Which transposes and slices cost a pass through memory; strides of the results."""

import torch
import torch.nn.functional as F

from compile_lessons import Table, capture, show

x = torch.randn(512, 512)
weight = torch.randn(512, 64)
heads = torch.randn(4, 64, 8, 64)  # batch, tokens, heads, numbers of a head
q = heads.transpose(1, 2)
batch = torch.randn(8, 64, 64)
cases = {
    "x.t() @ weight": lambda: x.t() @ weight,
    "x.t().contiguous() @ weight": lambda: x.t().contiguous() @ weight,
    "x.t() + 1": lambda: x.t() + 1,
    "x.t().contiguous() + 1": lambda: x.t().contiguous() + 1,
    "relu(x).t().contiguous() + 1": lambda: torch.relu(x).t().contiguous() + 1,
    "x[::2] @ weight": lambda: x[::2] @ weight,
    "x[:, ::2] @ weight[:256]": lambda: x[:, ::2] @ weight[:256],
    "batch.mT @ batch": lambda: batch.mT @ batch,
    "q @ q.mT": lambda: q @ q.mT,
    "F.scaled_dot_product_attention": lambda: F.scaled_dot_product_attention(q, q, q),
}
rows = []
for case, function in cases.items():
    kernels = capture(function)().kernels
    moved = sum(kernel.bytes for kernel in kernels) / 1e6
    names = " ".join(kernel.name for kernel in kernels)
    strides = torch.compile(function)().stride()
    rows.append([case, names, f"{moved:.1f} MB", str(strides)])
show(Table(["code", "kernels and calls", "moved", "strides"], rows))
# region checks
assert [len(row[1].split()) for row in rows] == [1, 2, 1, 1, 1, 1, 2, 1, 2, 1]
eager_strides = [str(function().stride()) for function in cases.values()]
assert [row[3] for row in rows] == eager_strides
# endregion
