"""Train on two ranks: the sentences of rank 1 get longer, those of rank 0 don't."""

import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.embed = nn.Embedding(100, 32)
        self.layer = nn.Linear(32, 32)

    def forward(self, tokens):
        return self.layer(self.embed(tokens)).square().mean()


dist.init_process_group("gloo")
rank = dist.get_rank()
model = Model()
model.compile()
trained = DistributedDataParallel(model)
lengths = [16, 16, 24, 32] if rank == 1 else [16, 16, 16, 16]
for length in lengths:
    tokens = torch.zeros(4, length, dtype=torch.int64)
    trained(tokens).backward()
dist.destroy_process_group()
