"""One rank gets batches of many sizes, and the others wait for its compiles."""

import os

import torch
import torch.distributed as dist
import torch.multiprocessing as mp


@torch.compile(backend="eager", dynamic=False)  # finding: ranks-differ
def loss_of(x):
    return x.square().mean()


def work(rank):
    os.environ |= {"RANK": str(rank), "WORLD_SIZE": "2", "MASTER_ADDR": "127.0.0.1", "MASTER_PORT": "29571"}
    dist.init_process_group("gloo")
    for step in range(6):
        loss = loss_of(torch.ones(4 + step if rank == 1 else 4))
        dist.all_reduce(loss)
    dist.destroy_process_group()


if __name__ == "__main__":
    mp.spawn(work, nprocs=2)
