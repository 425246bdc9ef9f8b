# /// lesson
# needs = ["compiler"]
# ///
"""Training: the model and the loss are one graph, and the optimizer another."""

import torch

model = torch.nn.Sequential(torch.nn.Linear(64, 64), torch.nn.GELU())
optimizer = torch.optim.Adam(model.parameters())
update = torch.compile(optimizer.step)


@torch.compile
def loss_of(x, target):
    return torch.nn.functional.mse_loss(model(x), target)


loss_of(torch.randn(8, 64), torch.randn(8, 64)).backward()
update()

# region checks
assert optimizer.state[model[0].weight]["step"] == 1
# endregion
