"""The options are copied before the call."""

import copy

import torch


@torch.compile(backend="eager")
def forward(x, options):
    return x * options["scale"]


options = copy.deepcopy({"scale": torch.ones(1)})
for _ in range(3):
    forward(torch.ones(4), options)
