"""A training step: the loss is compiled, with autocast inside."""

import torch
import torch.nn.functional as F
from torch import nn

torch.manual_seed(0)
backend = "aot_eager"
model = nn.Sequential(nn.Linear(8, 32), nn.GELU(), nn.Linear(32, 4))
optimizer = torch.optim.AdamW(model.parameters(), lr=0.01)
batches = [(torch.randn(16, 8), torch.randint(4, (16,)))] * 20
losses = []


# region copy
@torch.compile(backend=backend)  # leave backend out for Inductor
def loss_of(x, y):
    with torch.autocast("cpu", dtype=torch.bfloat16):  # "cuda" on a GPU
        return F.cross_entropy(model(x), y)


for x, y in batches:
    loss = loss_of(x, y)
    loss.backward()
    torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
    optimizer.step()
    optimizer.zero_grad()
    losses.append(loss.item())
# endregion
print(f"loss: {losses[0]:.2f} to {losses[-1]:.2f}")

# region checks
assert losses[-1] < losses[0]
# endregion
