"""Train residual blocks on two GPUs, by DDP or (--fsdp) by FSDP2. Start it with torchrun --nproc-per-node 2."""

import sys

import torch
import torch.distributed as dist
from torch.distributed.fsdp import fully_shard
from torch.nn.parallel import DistributedDataParallel


class Block(torch.nn.Module):
    def __init__(self, width=256):
        super().__init__()
        self.norm = torch.nn.LayerNorm(width)
        self.up = torch.nn.Linear(width, 4 * width)
        self.down = torch.nn.Linear(4 * width, width)

    def forward(self, x):
        return x + self.down(torch.nn.functional.gelu(self.up(self.norm(x))))


dist.init_process_group("nccl")
rank = dist.get_rank()
torch.cuda.set_device(rank)
torch.manual_seed(0)
net = torch.nn.Sequential(*(Block() for _ in range(4))).cuda()
if "--fsdp" in sys.argv:
    for block in net:
        block.compile()
        fully_shard(block)
    fully_shard(net)
    model = net
else:
    model = DistributedDataParallel(torch.compile(net))
optimizer = torch.optim.AdamW(net.parameters(), lr=1e-3)
for step in range(40):
    length = 96 if rank == 1 and step >= 20 else 64  # rank 1 alone meets a second length
    x = torch.randn(8, length, 256, device="cuda")
    loss = (model(x) - x).square().mean()
    loss.backward()
    optimizer.step()
    optimizer.zero_grad()
if rank == 0:
    print(loss.item())
dist.destroy_process_group()
