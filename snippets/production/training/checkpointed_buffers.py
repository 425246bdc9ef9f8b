# /// lesson
# needs = ["compiler"]
# ///
"""Buffers of a checkpointed block after one training step: eager mode updates them twice, compiled code once."""

import copy

import torch
from torch import nn
from torch.utils.checkpoint import checkpoint

from compile_lessons import Table, show


class Net(nn.Module):
    def __init__(self, checkpointed):
        super().__init__()
        self.block = nn.Sequential(nn.Linear(8, 8), nn.BatchNorm1d(8), nn.ReLU())
        self.checkpointed = checkpointed

    def forward(self, x):
        return checkpoint(self.block, x, use_reentrant=False) if self.checkpointed else self.block(x)


torch.manual_seed(0)
start, x = Net(checkpointed=False), torch.randn(16, 8)
table, nets = [], []
for checkpointed in (False, True):
    for mode in ("eager", "compiled"):
        net = copy.deepcopy(start)
        net.checkpointed = checkpointed
        step = torch.compile(net) if mode == "compiled" else net
        step(x).square().mean().backward()
        norm = net.block[1]
        table.append([checkpointed, mode, norm.num_batches_tracked.item(), f"{norm.running_mean[0]:.4f}"])
        nets.append(net)
show(Table(["checkpoint", "mode", "num_batches_tracked", "running_mean[0]"], table))
# region checks
assert [row[2] for row in table] == [1, 1, 2, 1] and table[3][3] == table[0][3] != table[2][3]
for net in nets[1:]:
    torch.testing.assert_close(net.block[0].weight.grad, nets[0].block[0].weight.grad)
# endregion
