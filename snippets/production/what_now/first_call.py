# /// lesson
# needs = ["compiler"]
# varies.output = ['\d+\.\d+ s', '\d+%']
# varies.values = ["whole", "by_block", "ratio"]
# ///
"""The first call of a model with six equal blocks, compiled whole and block by block."""

from time import perf_counter

import torch
from torch import nn

from compile_lessons import Table, show


class Block(nn.Module):
    def __init__(self, eps):
        super().__init__()
        self.norm, self.up, self.down = nn.LayerNorm(32, eps=eps), nn.Linear(32, 64), nn.Linear(64, 32)

    def forward(self, x):
        return x + self.down(nn.functional.gelu(self.up(self.norm(x))))


def first_call(model):
    began = perf_counter()
    with torch.no_grad():
        model(x)
    return perf_counter() - began


x = torch.randn(16, 32)
torch.compile(torch.neg)(x)  # imports and starts the compiler, which is not what we time
blocks, model = [nn.Sequential(*[Block(eps) for _ in range(6)]) for eps in (1e-5, 2e-5)]
# region copy
for block in blocks:
    block.compile()
# endregion
by_block, whole = first_call(blocks), first_call(torch.compile(model))
rows = [["torch.compile(model)", f"{whole:.1f} s"], ["block.compile() for each block", f"{by_block:.1f} s"]]
show(Table(["compiled with", "first call"], rows))
ratio = whole / by_block
