# /// lesson
# ///
"""Which tiles run at the same time: the order of the programs decides how much of A and B they need."""

import torch

from compile_lessons import Table, show
from compile_lessons.show.tiles import Matrix, Tiles

BM, BN, K, at_once = 128, 256, 8192, 132  # one program for each multiprocessor of an H200
tiles_m, tiles_n = 8192 // BM, 8192 // BN


def place(tile, group):
    """Return row and column of a tile: down ``group`` rows, then to the right, then the next group of rows."""
    first, within = tile // (group * tiles_n) * group, tile % (group * tiles_n)
    rows = min(tiles_m - first, group)
    return first + within % rows, within // rows


def draw(group):
    places = [place(tile, group) for tile in range(at_once)]
    kinds = ("computed at once", "read for these", "neither")
    a = [[kinds[1] if any(i == row for row, _ in places) else kinds[2]] for i in range(tiles_m)]
    b = [[kinds[1] if any(j == column for _, column in places) else kinds[2] for j in range(tiles_n)]]
    c = [[kinds[0] if (i, j) in places else kinds[2] for j in range(tiles_n)] for i in range(tiles_m)]
    matrices = {"A": (a, BM, K), "B": (b, K, BN), f"C, GROUP={group}": (c, BM, BN)}
    show(Tiles({name: Matrix(tiles=t, height=h, width=w) for name, (t, h, w) in matrices.items()}, kinds))


rows, read = [], dict.fromkeys((1, 4, 8, 16, 64), 0.0)  # bytes of A and B
for group in read:
    for wave in torch.arange(tiles_m * tiles_n).split(at_once):
        places = [place(tile, group) for tile in wave.tolist()]
        read[group] += len({i for i, _ in places}) * BM * K * 2 + len({j for _, j in places}) * BN * K * 2
    first = [place(tile, group) for tile in range(at_once)]
    rows.append([group, len({i for i, _ in first}), len({j for _, j in first}), f"{read[group] / 1e9:.2f} GB"])
show(Table(["GROUP", "rows of tiles at once", "columns of tiles at once", "A and B, over all waves"], rows))
for group in (1, 16):
    draw(group)
row_by_row, in_groups = read[1] / 1e9, read[16] / 1e9
# region checks
assert read[16] == min(read.values()) < read[8] < read[1]
assert [place(n, 2) for n in (0, 1, 2, 2 * tiles_n)] == [(0, 0), (1, 0), (0, 1), (2, 0)]
# endregion
