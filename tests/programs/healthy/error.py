"""The program fails, with its own exception."""

import torch


@torch.compile(backend="eager")
def forward(x):
    return x.relu()


forward(torch.ones(4))
raise ValueError("no such file: data.bin")
