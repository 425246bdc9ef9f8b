# /// lesson
# needs = ["compiler"]
# ///
"""What is fused across the boundary of a block: the kernels of one graph and of three."""

import torch
from _model import Block

from compile_lessons import Table, capture, show

x, blocks, rows = torch.randn(64, 32), torch.nn.Sequential(*[Block() for _ in range(3)]), []
with torch.no_grad():
    for name, function, calls in [("three blocks in one graph", blocks, 1), ("three graphs", blocks[0], 3)]:
        kinds = [kernel.kind for kernel in capture(function, machine_code=False)(x).kernels]
        rows.append([name, kinds.count("cpp") * calls, kinds.count("extern") * calls])
show(Table(["compiled as", "generated kernels that run", "matrix products"], rows))
# region checks
assert rows == [["three blocks in one graph", 7, 6], ["three graphs", 9, 6]]
# endregion
