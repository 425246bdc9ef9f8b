# /// lesson
# needs = ["triton"]
# env = {TRITON_INTERPRET = "1"}
# ///
"""The tiles of the score matrix that the kernel computes: an infinite value shows up wherever it is loaded."""

import numpy
import torch
from attention import attention

from compile_lessons import show
from compile_lessons.show.tiles import Matrix, Tiles

BM, BN, length = 128, 64, 768
blocks = length // BN
q = k = torch.zeros(1, blocks, length, 16)  # equal scores: a weight is 1, or 0 where the mask hides the key
v = torch.zeros(1, blocks, length, 16)
for head in range(blocks):
    v[0, head, head * BN + BN - 1] = torch.inf  # the last key of block 0 in head 0, of block 1 in head 1, …
numpy.seterr(invalid="ignore")  # 0 · inf
result = attention(q, k, v, BM=BM, BN=BN)[0, :, :, 0]


def kind(rows):  # of a block of queries, where one block of keys has the infinite value
    if rows.isfinite().all():
        return "skipped, never loaded"
    return "computed with the mask" if rows.isnan().any() else "computed without the mask"  # 0 · inf is NaN


tiles = [[kind(rows) for rows in heads] for heads in result.split(BM, dim=1)]
kinds = ["computed without the mask", "computed with the mask", "skipped, never loaded"]
show(Tiles({"queries down, keys across": Matrix(tiles=tiles, height=BM, width=BN)}, kinds))
without, masked, skipped = (sum(row.count(kind) for row in tiles) for kind in kinds)
computed = without + masked
# region checks
assert (without, masked, skipped) == (30, 12, 30)
# endregion
