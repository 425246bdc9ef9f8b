"""Each length of a batch is recorded as a CUDA graph of its own."""

import torch


@torch.compile(mode="reduce-overhead", dynamic=True)
def step(x):
    return (x.sin() @ x.T).relu()


for length in [17, 33, 49, 65, 81, 97, 113, 129] * 4:
    step(torch.ones(length, 64, device="cuda"))  # finding: cuda-graph-sizes
