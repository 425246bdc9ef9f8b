# /// lesson
# needs = ["compiler"]
# varies.output = ['\d+\.\d+ s', '\d+%']
# varies.values = ["whole", "by_block", "ratio"]
# ///
"""The first call of six equal blocks, compiled whole and block by block."""

from time import perf_counter

import torch
from torch import nn

from compile_lessons import Table, show


# region model
class Block(nn.Module):
    def __init__(self, eps):
        super().__init__()
        self.norm = nn.LayerNorm(32, eps=eps)  # so that the models share no kernels
        self.up = nn.Linear(32, 64)
        self.down = nn.Linear(64, 32)

    def forward(self, x):
        return x + self.down(nn.functional.gelu(self.up(self.norm(x))))


def first_call(model):
    began = perf_counter()
    with torch.no_grad():
        model(torch.randn(16, 32))
    return perf_counter() - began


torch.compile(torch.neg)(torch.ones(1))  # starts the compiler, which we don't time
model = nn.Sequential(*[Block(eps=1e-5) for _ in range(6)])
blocks = nn.Sequential(*[Block(eps=2e-5) for _ in range(6)])
# endregion
# region copy
for block in blocks:
    block.compile()
# endregion
by_block = first_call(blocks)
whole = first_call(torch.compile(model))
ratio = whole / by_block
rows = [
    ["torch.compile(model)", f"{whole:.1f} s"],
    ["block.compile() for each block", f"{by_block:.1f} s"],
]
show(Table(["compiled with", "first call"], rows))
