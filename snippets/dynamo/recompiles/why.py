# /// lesson
# env = {TORCH_LOGS = "recompiles", TORCH_LOGS_FORMAT = "%(message)s"}
# ///
"""Log the guard that failed at each recompile."""

import torch
import torch.nn.functional as F


class Model(torch.nn.Module):
    def forward(self, x):
        return F.dropout(x, 0.1, self.training).sum()


model = Model()
model.compile(backend="eager")

print("-> train on a batch of 32, twice")
model(torch.ones(32, 8))
model(torch.ones(32, 8))
print("-> train on the last batch, of 20")
model(torch.ones(20, 8))
print("-> evaluate on a batch of 32")
model.eval()
model(torch.ones(32, 8))
