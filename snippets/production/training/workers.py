"""Compiled augmentation in a DataLoader's worker: a fork with one thread."""

import torch
from torch.utils.data import DataLoader, Dataset

from compile_lessons import Table, keep_graphs, show

kept = keep_graphs()


@torch.compile(backend=kept)
def augment(image):
    return ((image - image.mean()) / (image.std() + 1e-5)).clamp(-3, 3)


class Images(Dataset):
    def __len__(self):
        return 4

    def __getitem__(self, index):
        augment(torch.full((3, 32, 32), float(index)))
        return len(kept.graphs), torch.get_num_threads()


fork = "fork"  # as on Linux before Python 3.14
rows = []
for threads in (2, 1):
    torch.compiler.reset()
    torch.set_num_threads(threads)
    kept.graphs.clear()
    augment(torch.zeros(3, 32, 32))  # before the worker is forked
    own = len(kept.graphs)
    loader = DataLoader(Images(), num_workers=1, multiprocessing_context=fork)
    graphs, worker_threads = (value.item() for value in list(loader)[-1])
    rows.append([threads, own, worker_threads, graphs - own])
columns = ["threads here", "compiles here", "threads in the worker", "compiles there"]
show(Table(columns, rows))

# region checks
assert rows == [[2, 1, 1, 1], [1, 1, 1, 0]]
# endregion
