"""The module is compiled before it is wrapped."""

import os

import torch
import torch.distributed as dist

os.environ |= {"RANK": "0", "WORLD_SIZE": "1", "MASTER_ADDR": "127.0.0.1", "MASTER_PORT": "29575"}
dist.init_process_group("gloo")
layer = torch.nn.TransformerEncoderLayer(8, 2, 16, batch_first=True)
net = torch.nn.TransformerEncoder(layer, 1, enable_nested_tensor=False)
compiled = torch.compile(net, backend="eager")
model = torch.nn.parallel.DistributedDataParallel(compiled)
for _ in range(5):
    model(torch.ones(2, 3, 8)).sum().backward()
dist.destroy_process_group()
