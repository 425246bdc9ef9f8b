# /// lesson
# needs = ["compiler"]
# ///
"""The setting that moves the waits, in two lines."""

import torch
import torch.distributed as dist
from _alone import join_group
from torch import nn
from torch.distributed._functional_collectives import all_reduce  # no public name

join_group(2)


class Model(nn.Module):
    def forward(self, x):
        return all_reduce(x * 2, "sum", dist.group.WORLD) + x.sin()


model = Model()
# region copy
options = {
    "reorder_for_compute_comm_overlap": True,
    "reorder_for_compute_comm_overlap_passes": ["sink_waits"],
}
model = torch.compile(model, options=options)
# endregion
model(torch.ones(64, 64))
