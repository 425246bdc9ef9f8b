"""Train a transformer on two GPUs, by DDP or by FSDP2. Start it with torchrun --nproc-per-node 2."""

import sys

import torch
import torch.distributed as dist
from torch.distributed.fsdp import fully_shard
from torch.nn.parallel import DistributedDataParallel

dist.init_process_group("nccl")
torch.cuda.set_device(dist.get_rank())
torch.manual_seed(0)
layer = torch.nn.TransformerEncoderLayer(256, 8, 1024, dropout=0.0, batch_first=True)
net = torch.nn.TransformerEncoder(layer, 4, enable_nested_tensor=False).cuda()
if "--fsdp" in sys.argv:
    for block in net.layers:
        block.compile()
        fully_shard(block)
    fully_shard(net)
    model = net
else:
    for block in net.layers:
        block.compile()
    model = DistributedDataParallel(net)
optimizer = torch.optim.AdamW(net.parameters(), lr=1e-3)
for step in range(40):
    length = 64 + 32 * (step % 2 if dist.get_rank() else 0)  # rank 1 alone meets a second length
    x = torch.randn(8, length, 256, device="cuda")
    loss = (model(x) - x).square().mean()
    loss.backward()
    optimizer.step()
    optimizer.zero_grad()
if dist.get_rank() == 0:
    print(loss.item())
dist.destroy_process_group()
