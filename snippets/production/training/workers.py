"""Compiled augmentation in a DataLoader's worker, which is a fork of this process with one thread."""

import torch
from torch._dynamo.utils import counters
from torch.utils.data import DataLoader, Dataset

from compile_lessons import Table, show


@torch.compile(backend="eager")
def augment(image):
    return ((image - image.mean()) / (image.std() + 1e-5)).clamp(-3, 3)


class Images(Dataset):
    def __len__(self):
        return 4

    def __getitem__(self, index):
        augment(torch.full((3, 32, 32), float(index)))
        return counters["stats"]["unique_graphs"], torch.get_num_threads()


rows = []
for threads in (2, 1):
    torch.compiler.reset()
    counters.clear()
    torch.set_num_threads(threads)
    augment(torch.zeros(3, 32, 32))  # before the worker is forked
    own = counters["stats"]["unique_graphs"]
    *_, (graphs, worker_threads) = DataLoader(Images(), batch_size=None, num_workers=1, multiprocessing_context="fork")
    rows.append([threads, own, worker_threads, graphs - own])
columns = ["threads of this process", "compiles in this process", "threads of the worker", "compiles in the worker"]
show(Table(columns, rows))
# region checks
assert rows == [[2, 1, 1, 1], [1, 1, 1, 0]]
# endregion
