"""torch.compile is called, with an option that turns it off."""

import torch

model = torch.nn.Linear(4, 4)
fast = torch.compile(model, disable=True)  # finding: disabled
for _ in range(3):
    fast(torch.ones(2, 4))
