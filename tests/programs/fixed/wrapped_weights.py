"""The weights are those of the model that was compiled."""

import torch


def make():
    return torch.nn.Sequential(torch.nn.Linear(4, 4), torch.nn.ReLU())


model = make()
torch.compile(model, backend="eager")(torch.ones(2, 4))
weights = model.state_dict()

tuned = make()
tuned.load_state_dict(weights, strict=False)
tuned(torch.ones(2, 4))
