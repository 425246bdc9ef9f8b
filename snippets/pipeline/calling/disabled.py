"""disable=True returns your function untouched."""

import torch


def scaled(x):
    return x.sin() * 2


model = torch.nn.Linear(2, 2)
print("the same function:", torch.compile(scaled, disable=True) is scaled)
print("the same module:  ", torch.compile(model, disable=True) is model)

# region checks
assert torch.compile(scaled, disable=True) is scaled
assert torch.compile(model, disable=True) is model
# endregion
