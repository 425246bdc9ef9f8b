# /// lesson
# needs = ["compiler"]
# ///
"""A language model's loss, compiled, with a vocabulary that is a multiple of 8."""

import torch
from torch import nn

model = nn.Sequential(nn.Embedding(50304, 64), nn.Linear(64, 50304))  # not 50257


@torch.compile
def loss_of(tokens):
    scores = model(tokens[:, :-1]).flatten(0, 1)
    return nn.functional.cross_entropy(scores, tokens[:, 1:].flatten())


loss_of(torch.randint(50257, (2, 32))).backward()

# region checks
assert model[1].weight.grad.shape == (50304, 64)
# endregion
