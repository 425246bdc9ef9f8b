# /// lesson
# needs = ["compiler"]
# ///
"""An option holds for one compiled function."""

import torch

from compile_lessons import Table, capture, show


def softmax(x):
    return torch.softmax(x.sin(), -1)


x, rows = torch.linspace(-1, 1, 64 * 64).reshape(64, 64), []
for options in [None, {"cpp.simdlen": 0}, None]:
    [kernel] = capture(softmax, options=options)(x).kernels
    rows.append([str(options), kernel.source.count("at::vec::Vectorized")])
show(Table(["options", "vector types in the kernel"], rows))

# region checks
vectors, scalar_vectors, vectors_again = (row[1] for row in rows)
assert vectors == vectors_again > scalar_vectors == 0
# endregion
