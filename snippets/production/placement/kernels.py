# /// lesson
# needs = ["compiler"]
# ///
"""What is fused across the boundary of a block: the kernels of one graph and of six."""

import torch
from _model import Block

from compile_lessons import Table, capture, show

x, blocks, rows = torch.randn(64, 32), torch.nn.Sequential(*[Block() for _ in range(6)]), []
with torch.no_grad():
    for name, function, calls in [("six blocks in one graph", blocks, 1), ("six graphs", blocks[0], 6)]:
        kinds = [kernel.kind for kernel in capture(function)(x).kernels]
        rows.append([name, kinds.count("cpp") * calls, kinds.count("extern") * calls])
show(Table(["compiled as", "generated kernels that run", "matrix products"], rows))
# region checks
assert rows == [["six blocks in one graph", 13, 12], ["six graphs", 18, 12]]
# endregion
