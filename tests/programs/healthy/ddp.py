"""Two ranks train with DistributedDataParallel."""

import os

import torch
import torch.distributed as dist
import torch.multiprocessing as mp


def work(rank):
    os.environ |= {"RANK": str(rank), "WORLD_SIZE": "2", "MASTER_ADDR": "127.0.0.1", "MASTER_PORT": "29572"}
    dist.init_process_group("gloo")
    torch.manual_seed(0)
    net = torch.nn.Sequential(torch.nn.Linear(4, 8), torch.nn.ReLU(), torch.nn.Linear(8, 1))
    model = torch.nn.parallel.DistributedDataParallel(torch.compile(net, backend="aot_eager"))
    optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
    for _ in range(4):
        model(torch.randn(4, 4)).sum().backward()
        optimizer.step()
        optimizer.zero_grad()
    dist.destroy_process_group()


if __name__ == "__main__":
    mp.spawn(work, nprocs=2)
