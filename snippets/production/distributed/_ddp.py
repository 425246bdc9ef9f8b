"""A model of four layers, and what DDP does to average its gradients."""

import torch.distributed as dist
from torch import nn


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        # 1 MiB each
        self.layers = nn.ModuleList(nn.Linear(512, 512, bias=False) for _ in range(4))

    def forward(self, x):
        for layer in self.layers:
            x = layer(x).relu()
        return x


def average(bucket):
    """Start to add up a bucket of gradients over all processes, as DDP does."""
    gradients = bucket.buffer() / dist.get_world_size()
    sent = dist.all_reduce(gradients, async_op=True).get_future()
    return sent.then(lambda done: done.value()[0])
