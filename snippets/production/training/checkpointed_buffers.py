# /// lesson
# needs = ["compiler"]
# ///
"""Buffers of a checkpointed block: updated twice in eager mode, once compiled."""

import copy

import torch
from torch import nn
from torch.utils.checkpoint import checkpoint

from compile_lessons import Table, show


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.block = nn.Sequential(nn.Linear(8, 8), nn.BatchNorm1d(8), nn.ReLU())

    def forward(self, x):
        return self.block(x)


class CheckpointedNet(Net):
    def forward(self, x):
        return checkpoint(self.block, x, use_reentrant=False)


torch.manual_seed(0)
x = torch.randn(16, 8)
weights = Net().state_dict()
rows = []
gradients = []
for kind in (Net, CheckpointedNet):
    for mode in ("eager", "compiled"):
        net = kind()
        net.load_state_dict(copy.deepcopy(weights))
        step = torch.compile(net) if mode == "compiled" else net
        step(x).square().mean().backward()
        norm = net.block[1]
        mean = f"{norm.running_mean[0]:.4f}"
        rows.append([kind.__name__, mode, norm.num_batches_tracked.item(), mean])
        gradients.append(net.block[0].weight.grad)
show(Table(["model", "mode", "num_batches_tracked", "running_mean[0]"], rows))

# region checks
assert [row[2] for row in rows] == [1, 1, 2, 1]
assert rows[3][3] == rows[0][3]
assert rows[2][3] != rows[0][3]
for gradient in gradients[1:]:
    torch.testing.assert_close(gradient, gradients[0])
# endregion
