# /// lesson
# needs = ["compiler"]
# ///
"""A training step: the loss is compiled, with autocast inside."""

# region copy
import torch
from torch import nn

model = nn.Linear(8, 4)
optimizer = torch.optim.AdamW(model.parameters(), lr=0.1)


@torch.compile
def loss_of(x, y):
    with torch.autocast("cpu", dtype=torch.bfloat16):  # "cuda" on a GPU
        return nn.functional.cross_entropy(model(x), y)


for x in torch.randn(3, 16, 8):
    loss_of(x, x.argmax(-1) % 4).backward()
    nn.utils.clip_grad_norm_(model.parameters(), 1.0)
    optimizer.step()
    optimizer.zero_grad()
# endregion
# region checks
y = x.argmax(-1) % 4
before = loss_of(x, y)
before.backward()
optimizer.step()
assert loss_of(x, y) < before
# endregion
