# /// lesson
# needs = ["compiler"]
# ///
"""Which iteration reads which sum: a pair fuses where each reads its own."""

import re

import torch
from sympy import sympify

from compile_lessons import capture, show
from compile_lessons.show.tiles import Matrix, Tiles

SIZE = 8
LOOPS = {
    "sums": lambda x: x.sum(1) * 2,
    "sums[:, None]": lambda x: x / x.sum(1)[:, None],
    "sums[None, :]": lambda x: x / x.sum(1)[None, :],
    "sums[1:]": lambda x: x.sum(1)[1:] * 2,
    "sums.flip(0)": lambda x: x.sum(1).flip(0) * 2,
}
OWN = "reads its own sum"
OTHER = "reads another sum"
NOT_READ = "not read"
KINDS = [OWN, OTHER, NOT_READ]


def reads(index, c0):
    """Return what iteration ``c0`` does with each sum, by its dependency's index."""
    read = {int(index.subs({"c0": c0, "c1": c1})) for c1 in range(SIZE)}
    kinds = [OTHER if n in read else NOT_READ for n in range(SIZE)]
    if c0 in read:
        kinds[c0] = OWN
    return kinds


fused = {}
apart = {}
for name, function in LOOPS.items():
    x = torch.randn(SIZE, SIZE)
    [graph] = capture(function, machine_code=False)(x).graphs
    lowered = graph.inductor[0]
    pattern = r"MemoryDep\('buf0', (.*?), {c0: (\d+)"
    [(index, iterations)] = re.findall(pattern, lowered.ir[1].text)
    tiles = [reads(sympify(index), c0) for c0 in range(int(iterations))]
    [decision] = lowered.decisions
    grids = fused if decision.fused else apart
    grids[name] = Matrix(tiles=tiles, height=1, width=1)
print("fused")
show(Tiles(fused, KINDS))
print("not fused")
show(Tiles(apart, KINDS))
# region checks
assert list(fused) == ["sums", "sums[:, None]"]
for grids in (fused, apart):
    for grid in grids.values():
        others = any(OTHER in row for row in grid.tiles)
        assert others == (grids is apart)
# endregion
