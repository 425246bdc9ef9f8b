# /// lesson
# needs = ["compiler"]
# ///
"""A buffer that the forward pass updates is updated by the compiled code too."""

import copy

import torch
from torch import nn

torch.manual_seed(0)
eager = nn.BatchNorm1d(4)
model = copy.deepcopy(eager)
compiled = torch.compile(model)

for _ in range(3):
    x = torch.randn(16, 4)
    torch.testing.assert_close(compiled(x), eager(x))
    mean = [round(value, 4) for value in model.running_mean.tolist()]
    print("running mean", mean, "batches", model.num_batches_tracked.item())

# region checks
torch.testing.assert_close(model.running_mean, eager.running_mean)
torch.testing.assert_close(model.running_var, eager.running_var)
assert model.num_batches_tracked == 3
assert eager.num_batches_tracked == 3
# endregion
