"""Load data in worker processes."""

import torch
from torch.utils.data import DataLoader


class Squares(torch.utils.data.Dataset):
    def __len__(self):
        return 24

    def __getitem__(self, index):
        return torch.full((4,), float(index)).square()


@torch.compile(backend="eager")
def total(x):
    return x.sum(-1).relu()


if __name__ == "__main__":
    total(torch.zeros(8, 4))
    for batch in DataLoader(Squares(), batch_size=8, num_workers=2):
        total(batch)
