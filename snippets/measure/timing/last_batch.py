# /// lesson
# varies.output = ['\d[\d.,]* ms']
# varies.values = ["began", "epoch_ms"]
# ///
"""Wrong: one epoch, timed as a whole. Its last batch is smaller."""

from time import perf_counter

import torch
from torch import nn
from torch.utils.data import DataLoader

from compile_lessons import keep_graphs

rows = torch.randn(1000, 64)
model = nn.Sequential(nn.Linear(64, 64), nn.ReLU(), nn.Linear(64, 10))
compiles = []
for drop_last in (False, True):
    torch.compiler.reset()
    kept = keep_graphs()
    compiled = torch.compile(model, backend=kept)
    compiled(rows[:64])  # the warm-up
    batch_ms = []
    for batch in DataLoader(rows, batch_size=64, drop_last=drop_last):
        began = perf_counter()
        compiled(batch)
        batch_ms.append((perf_counter() - began) * 1e3)
    compiles.append(len(kept.graphs))
    epoch_ms = sum(batch_ms)
    print(f"drop_last={drop_last}: {len(batch_ms)} batches")
    print(f"    compiles, including the warm-up's: {compiles[-1]}")
    print(f"    the epoch took {epoch_ms:.1f} ms, its last batch {batch_ms[-1]:.1f} ms")

# region checks
assert compiles == [2, 1]
# endregion
