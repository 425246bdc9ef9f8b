"""Which tiles run at the same time: the order of programs decides what they read."""

import torch

from compile_lessons import Table, show
from compile_lessons.show.tiles import Matrix, Tiles

BM = 128
BN = 256
K = 8192
AT_ONCE = 132  # one program for each multiprocessor of an H200
TILES_M = 8192 // BM
TILES_N = 8192 // BN
COMPUTED = "computed at once"
READ = "read for these"
NEITHER = "neither"


# region place
def place(tile, group):
    """Return row and column: down ``group`` rows, then right, then down again."""
    group_of_rows = tile // (group * TILES_N)
    within = tile % (group * TILES_N)
    first = group_of_rows * group
    rows = min(TILES_M - first, group)
    return first + within % rows, within // rows


def rows_and_columns(tiles, group):
    """Return which rows of tiles of A some tiles need, and which columns of B."""
    places = [place(tile, group) for tile in tiles]
    return {row for row, _ in places}, {column for _, column in places}


def bytes_read(group):
    """Return the bytes of A and B, in bfloat16, that all waves of programs read."""
    total = 0
    for wave in torch.arange(TILES_M * TILES_N).split(AT_ONCE):
        rows, columns = rows_and_columns(wave.tolist(), group)
        total += 2 * K * (len(rows) * BM + len(columns) * BN)
    return total


# endregion
def draw(group):
    rows, columns = rows_and_columns(range(AT_ONCE), group)
    places = [place(tile, group) for tile in range(AT_ONCE)]
    a = [[READ if row in rows else NEITHER] for row in range(TILES_M)]
    b = [[READ if column in columns else NEITHER for column in range(TILES_N)]]
    c = [[NEITHER] * TILES_N for _ in range(TILES_M)]
    for row, column in places:
        c[row][column] = COMPUTED
    matrices = {
        "A": Matrix(tiles=a, height=BM, width=K),
        "B": Matrix(tiles=b, height=K, width=BN),
        f"C, GROUP={group}": Matrix(tiles=c, height=BM, width=BN),
    }
    show(Tiles(matrices, (COMPUTED, READ, NEITHER)))


table = []
read = {}
for group in (1, 4, 8, 16, 64):
    read[group] = bytes_read(group)
    rows, columns = rows_and_columns(range(AT_ONCE), group)
    table.append([group, len(rows), len(columns), f"{read[group] / 1e9:.2f} GB"])
titles = ["GROUP", "rows of tiles at once", "columns of tiles at once"]
show(Table([*titles, "A and B, over all waves"], table))
for group in (1, 16):
    draw(group)
row_by_row = read[1] / 1e9
in_groups = read[16] / 1e9
# region checks
assert read[16] == min(read.values()) < read[8] < read[1]
assert [place(tile, 2) for tile in (0, 1, 2)] == [(0, 0), (1, 0), (0, 1)]
assert place(2 * TILES_N, 2) == (2, 0)
# endregion
