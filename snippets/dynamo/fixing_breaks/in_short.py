# /// lesson
# needs = ["compiler"]
# varies.output = ['\d\.\d+']
# ///
"""The caller reads values and prints; the compiled function computes."""

import torch

model = torch.nn.Linear(16, 5)


@torch.compile(fullgraph=True)
def training_loss(x, labels):
    return torch.nn.functional.cross_entropy(model(x), labels)


for step in range(200):
    loss = training_loss(torch.randn(8, 16), torch.arange(8) % 5)
    if step % 100 == 0:
        print("loss", loss.item())  # in the caller: no graph break

# region checks
assert loss.requires_grad
# endregion
