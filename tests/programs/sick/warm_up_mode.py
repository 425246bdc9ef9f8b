"""A service warms up under no_grad, and answers under inference_mode."""

import torch
from torch import nn

torch.manual_seed(0)
layers = [layer for _ in range(6) for layer in (nn.Linear(64, 64), nn.SiLU())]
model = nn.Sequential(nn.Embedding(100, 16), nn.Linear(16, 64), *layers, nn.Linear(64, 16)).eval()
encoder = torch.compile(model)


def warm_up():
    with torch.no_grad():
        for length in (8, 8, 8):
            encoder(torch.zeros(1, length, dtype=torch.long))


def answer(tokens):
    with torch.inference_mode():
        return encoder(torch.tensor([tokens])).mean(1)  # finding: late-compile


warm_up()
for _ in range(20):
    answer(list(range(8)))
