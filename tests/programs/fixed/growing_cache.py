"""The decoder writes its keys into a tensor of full length."""

import torch


@torch.compile(backend="eager")
def decode(token, keys, position):
    keys[position] = token * 2
    return keys.sum(0)


keys = torch.zeros(20, 4)
for number in range(20):
    decode(torch.ones(4), keys, number)
