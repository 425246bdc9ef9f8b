"""Two workers that stay from epoch to epoch compile a function once each."""

import torch
from torch.utils.data import DataLoader, Dataset


@torch.compile
def augment(image):
    return (image - image.mean()).clamp(-3, 3) * 1.5


class Images(Dataset):
    def __len__(self):
        return 8

    def __getitem__(self, index):
        return augment(torch.ones(3, 8, 8) * index)


loader = DataLoader(Images(), batch_size=4, num_workers=2, persistent_workers=True, multiprocessing_context="fork")
for _ in range(3):
    for batch in loader:
        batch.mean()
