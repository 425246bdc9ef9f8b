"""A function copies its options at each call."""

import copy

import torch


@torch.compile(backend="eager")
def forward(x, options):
    own = copy.deepcopy(options)  # finding: graph-break
    return x * own["scale"]


for _ in range(3):
    forward(torch.ones(4), {"scale": torch.ones(1)})
