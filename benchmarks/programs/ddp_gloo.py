"""Train a transformer with DistributedDataParallel. Start it with torchrun --nproc-per-node 2."""

import torch
import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel
from torch.utils.data import DataLoader, DistributedSampler, TensorDataset

dist.init_process_group("gloo")
torch.manual_seed(0)
layer = torch.nn.TransformerEncoderLayer(32, 4, 64, batch_first=True)
net = torch.nn.TransformerEncoder(layer, 2, enable_nested_tensor=False)
model = torch.compile(DistributedDataParallel(net))
data = TensorDataset(torch.randn(60, 12, 32))
loader = DataLoader(data, batch_size=8, sampler=DistributedSampler(data))
optimizer = torch.optim.AdamW(net.parameters(), lr=1e-3)
for _ in range(3):
    for (x,) in loader:
        loss = (model(x) - x).square().mean()
        loss.backward()
        optimizer.step()
        optimizer.zero_grad()
if dist.get_rank() == 0:
    print(loss.item())
dist.destroy_process_group()
