"""One compiled function calls another, and a third is never called."""

import torch


@torch.compile(backend="eager")
def activation(x):
    return x.relu()


@torch.compile(backend="eager")
def for_debugging(x):
    return x.isnan().any()


@torch.compile(backend="eager")
def forward(x):
    return activation(x) + 1


for _ in range(5):
    forward(torch.ones(4))
