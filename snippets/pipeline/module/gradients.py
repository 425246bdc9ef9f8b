# /// lesson
# needs = ["compiler"]
# ///
"""Training a compiled module gives the same loss as eager mode."""

import copy

import torch
from torch import nn

torch.manual_seed(0)
eager = nn.Sequential(nn.Linear(8, 16), nn.GELU(), nn.Linear(16, 1))
model = copy.deepcopy(eager)
compiled = torch.compile(model)

for module, run in [(eager, eager), (model, compiled)]:
    optimizer = torch.optim.SGD(module.parameters(), lr=0.1)
    torch.manual_seed(1)
    for _ in range(3):
        loss = run(torch.randn(32, 8)).square().mean()
        loss.backward()
        optimizer.step()
        optimizer.zero_grad()
    print(f"{type(run).__name__:16} loss after the last step: {loss.item():.6f}")

# region checks
with torch.compiler.set_stance("fail_on_recompile"):  # the first step's graph still serves
    compiled(torch.randn(32, 8))
for ours, theirs in zip(model.parameters(), eager.parameters(), strict=True):
    torch.testing.assert_close(ours, theirs)
# endregion
