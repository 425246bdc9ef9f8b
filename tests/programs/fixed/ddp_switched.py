"""All four ranks switch their loss in the same step."""

import os

import torch
import torch.distributed as dist
import torch.multiprocessing as mp


class Loss:
    robust = False

    @torch.compile(backend="eager")
    def of(self, x):
        return x.abs().mean() if self.robust else x.square().mean()


def work(rank):
    os.environ |= {"RANK": str(rank), "WORLD_SIZE": "4", "MASTER_ADDR": "127.0.0.1", "MASTER_PORT": "29574"}
    dist.init_process_group("gloo")
    loss = Loss()
    for step in range(6):
        loss.robust = step >= 2
        dist.all_reduce(loss.of(torch.ones(4)))
    dist.destroy_process_group()


if __name__ == "__main__":
    mp.spawn(work, nprocs=4)
