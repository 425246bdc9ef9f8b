"""Experts on two ranks: a router, and the expert of this rank."""

import torch
import torch.distributed as dist
from torch import nn
from torch.distributed._functional_collectives import (
    all_to_all_single,
    all_to_all_single_autograd,
)


# region counted
class Counted(nn.Module):
    """Send each token to the rank that its expert is on, as many as there are."""

    def __init__(self, width, hidden):
        super().__init__()
        self.router = nn.Linear(width, 2)
        up = nn.Linear(width, hidden)
        self.expert = nn.Sequential(up, nn.GELU(), nn.Linear(hidden, width))

    def forward(self, x):
        group = dist.group.WORLD
        weight, chosen = self.router(x).softmax(-1).max(-1)
        order = chosen.argsort()
        counts = (chosen[:, None] == torch.arange(2, device=x.device)).sum(0)
        sent = counts.tolist()
        received = all_to_all_single(counts, None, None, group).tolist()
        tokens = all_to_all_single_autograd(x[order], received, sent, group)
        results = self.expert(tokens)
        results = all_to_all_single_autograd(results, sent, received, group)
        results = torch.zeros_like(x).index_copy(0, order, results)
        return results * weight[:, None]


# endregion
# region padded
class Padded(Counted):
    """Send each rank a block with room for all tokens, so that no size changes."""

    def forward(self, x):
        group = dist.group.WORLD
        sizes = [len(x), len(x)]
        weight, chosen = self.router(x).softmax(-1).max(-1)
        first = (1 - chosen).cumsum(0)  # tokens for rank 0, up to each token
        second = chosen.cumsum(0)
        place = torch.where(chosen == 0, first, len(x) + second) - 1
        blocks = x.new_zeros(2 * len(x), x.shape[1]).index_put((place,), x)
        tokens = all_to_all_single_autograd(blocks, sizes, sizes, group)
        results = self.expert(tokens)
        results = all_to_all_single_autograd(results, sizes, sizes, group)
        return results[place] * weight[:, None]


# endregion
