"""A forward measures its own time."""

import time

import torch


@torch.compile(backend="eager")
def forward(x):
    began = time.perf_counter()  # finding: graph-break
    y = x.relu()
    return y, time.perf_counter() - began


for _ in range(3):
    forward(torch.ones(4))
