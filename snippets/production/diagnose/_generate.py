"""Generate with a method of a compiled model."""

import torch
from torch import nn


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.norm = nn.RMSNorm(64)
        self.up = nn.Linear(64, 256)
        self.down = nn.Linear(256, 64)

    def forward(self, x):
        return x + self.down(nn.functional.gelu(self.up(self.norm(x))))

    def generate(self, x):
        for _ in range(8):
            x = self(x)
        return x


model = torch.compile(Model())
with torch.inference_mode():
    for _ in range(50):
        model.generate(torch.ones(64, 64))
