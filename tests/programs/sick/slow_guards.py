"""A layer reads its filter from a Python list, and each number of the list has a guard that each call checks."""

import math

import torch


class Smooth(torch.nn.Module):
    def __init__(self, taps):
        super().__init__()
        self.taps = [math.exp(-0.01 * n) for n in range(taps)]

    def forward(self, x):
        return x * sum(self.taps)  # finding: slow-guards


model = torch.compile(Smooth(4000), backend="eager")
for _ in range(4000):
    model(torch.ones(64))
