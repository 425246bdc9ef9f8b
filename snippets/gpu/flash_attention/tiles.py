# /// lesson
# needs = ["triton"]
# env = {TRITON_INTERPRET = "1"}
# ///
"""Which tiles of the score matrix the kernel computes, found with infinite values."""

import numpy
import torch
from attention import attention

from compile_lessons import show
from compile_lessons.show.tiles import Matrix, Tiles

BM = 128
BN = 64
length = 768
blocks = length // BN
SKIPPED = "skipped, never loaded"
MASKED = "computed with the mask"
WITHOUT_MASK = "computed without the mask"


def kind(outputs):
    """Tell what the kernel did with the block that has the infinite value."""
    if outputs.isfinite().all():
        return SKIPPED
    return MASKED if outputs.isnan().any() else WITHOUT_MASK  # 0 times inf is NaN


# equal scores: a weight is 1, or 0 where the mask hides the key
q = torch.zeros(1, blocks, length, 16)
v = torch.zeros(1, blocks, length, 16)
for block in range(blocks):
    # head 0 has the infinite value in block 0, head 1 in block 1, ...
    v[0, block, block * BN + BN - 1] = torch.inf
numpy.seterr(invalid="ignore")  # 0 times inf
result = attention(q, q, v, BM=BM, BN=BN)[0, :, :, 0]

tiles = [[kind(outputs) for outputs in heads] for heads in result.split(BM, dim=1)]
matrix = Matrix(tiles=tiles, height=BM, width=BN)
kinds = [WITHOUT_MASK, MASKED, SKIPPED]
show(Tiles({"queries down, keys across": matrix}, kinds))
without, masked, skipped = (sum(row.count(kind) for row in tiles) for kind in kinds)
computed = without + masked
# region checks
assert (without, masked, skipped) == (30, 12, 30)
# endregion
