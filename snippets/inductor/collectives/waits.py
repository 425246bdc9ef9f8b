# /// lesson
# needs = ["compiler"]
# ///
"""Where the wait stands: two branches of a transformer block, under six settings."""

import torch
import torch.distributed as dist
from _alone import calls, join_group
from torch import nn
from torch.distributed._functional_collectives import all_reduce  # no public name

from compile_lessons import Table, capture, show

join_group(2)


# region block
class ParallelBlock(nn.Module):
    """Each process has a part of the weights, so the results are partial sums."""

    def __init__(self):
        super().__init__()
        self.attention = nn.Linear(64, 64, bias=False)
        self.up = nn.Linear(64, 128, bias=False)
        self.down = nn.Linear(128, 64, bias=False)

    def forward(self, x):
        attention = all_reduce(self.attention(x), "sum", dist.group.WORLD)
        hidden = self.up(x).relu()
        mlp = all_reduce(self.down(hidden), "sum", dist.group.WORLD)
        return x + attention + mlp


# endregion
# region settings
SINK = ["sink_waits"]
ITERATE = [
    "reorder_communication_preserving_peak_memory",
    "sink_waits_iterative",
    "reorder_communication_preserving_peak_memory",
]
passes = {
    "training": None,
    "training, no passes": [],
    "training, raise_comms": ["raise_comms"],
    "training, sink_waits": SINK,
    "training, the three passes": ITERATE,
}
# endregion
x = torch.ones(64, 64)
block = ParallelBlock()
rows = []
for name, chosen in passes.items():
    options = {}
    if chosen is not None:
        options["reorder_for_compute_comm_overlap"] = True
        options["reorder_for_compute_comm_overlap_passes"] = chosen
    [graph] = capture(block, options=options, machine_code=False)(x).graphs
    kernels = [k for k in graph.kernels if k in graph.inductor[0].kernels]
    rows.append([name, ", ".join(calls(kernels))])
with torch.no_grad():
    [graph] = capture(block, machine_code=False)(x).graphs
rows.append(["inference", ", ".join(calls(graph.kernels))])
show(Table(["setting", "calls of the forward pass"], rows))
# region checks
overlapped = [row[1].index("wait 1") > row[1].index("relu") for row in rows]
assert overlapped == [False, False, False, True, True, True]
assert ["all_reduce 2, wait 1" in row[1] for row in rows[3:]] == [False, True, True]
# endregion
