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
    print(
        "running mean", [round(v, 4) for v in model.running_mean.tolist()], "batches", model.num_batches_tracked.item()
    )

# region checks
torch.testing.assert_close(model.running_mean, eager.running_mean)
torch.testing.assert_close(model.running_var, eager.running_var)
batches = model.num_batches_tracked.item()
assert batches == eager.num_batches_tracked.item() == 3
# endregion
