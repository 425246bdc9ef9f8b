# /// lesson
# needs = ["compiler"]
# ///
"""What is fused across blocks: the kernels of one graph and of three."""

import torch
from _model import Block

from compile_lessons import Table, capture, show

x = torch.randn(64, 32)
blocks = torch.nn.Sequential(*[Block() for _ in range(3)])
with torch.no_grad():
    whole = [kernel.kind for kernel in capture(blocks)(x).kernels]
    one_block = [kernel.kind for kernel in capture(blocks[0])(x).kernels]
rows = [
    ["three blocks in one graph", whole.count("cpp"), whole.count("extern")],
    ["three graphs", 3 * one_block.count("cpp"), 3 * one_block.count("extern")],
]
show(Table(["compiled as", "generated kernels that run", "matmuls"], rows))

# region checks
assert [row[1:] for row in rows] == [[7, 6], [9, 6]]
# endregion
