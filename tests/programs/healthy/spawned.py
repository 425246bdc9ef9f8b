"""A process of torch.multiprocessing compiles."""

import torch
import torch.multiprocessing as mp


def work(rank):
    double = torch.compile(lambda x: x * 2, backend="eager")
    assert double(torch.ones(2)).tolist() == [2, 2], rank


if __name__ == "__main__":
    mp.spawn(work, nprocs=1)
