"""A print inside of try."""

import torch


@torch.compile(backend="eager")
def forward(x):
    try:
        y = x.relu()
        print("relu done")  # finding: skipped
        return y + 1
    except ValueError:
        return x


for _ in range(3):
    forward(torch.ones(4))
