"""A forward prints a shape."""

import torch


@torch.compile(backend="eager")
def forward(x):
    y = x.relu()
    print("shape", y.shape)  # finding: graph-break
    return y + 1


for _ in range(3):
    forward(torch.ones(4))
