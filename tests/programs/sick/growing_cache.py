"""A decoder keeps its keys in a list that is one longer at each token."""

import torch


@torch.compile(backend="eager")
def decode(token, keys):
    keys.append(token * 2)  # finding: recompile-limit
    return torch.stack(keys).sum(0)


keys = []
for _ in range(20):
    decode(torch.ones(4), keys)
