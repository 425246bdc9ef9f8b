# /// lesson
# varies.output = ['\d[\d.,]* ms']
# varies.values = ["epoch_ms", "began"]
# ///
"""Wrong: one epoch, timed as a whole. Its last batch is smaller."""

from time import perf_counter

import torch
from torch import nn
from torch.utils.data import DataLoader

data = torch.randn(1000, 64)
model = nn.Sequential(nn.Linear(64, 64), nn.ReLU(), nn.Linear(64, 10))
compiles = {}


def keep_graph(graph_module, example_inputs):
    graphs.append(graph_module)
    return graph_module.forward


for drop_last in (False, True):
    torch.compiler.reset()
    graphs, calls = [], []
    compiled = torch.compile(model, backend=keep_graph)
    compiled(data[:64])  # the warm-up
    for batch in DataLoader(data, batch_size=64, drop_last=drop_last):
        began = perf_counter()
        compiled(batch)
        calls.append((perf_counter() - began) * 1e3)
    epoch_ms = sum(calls)
    compiles[drop_last] = len(graphs)
    print(f"drop_last={drop_last!s:5}  {len(calls)} batches, compiles including the warm-up's: {len(graphs)}")
    print(f"                 the epoch took {epoch_ms:.1f} ms, its last batch {calls[-1]:.1f} ms")

# region checks
assert compiles == {False: 2, True: 1}
# endregion
