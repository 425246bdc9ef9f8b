# /// lesson
# needs = ["compiler"]
# ///
"""float16: autocast is inside the compiled loss, and the scaler outside of it."""

# region copy
import torch

model = torch.nn.Linear(8, 1)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
scaler = torch.amp.GradScaler("cpu")  # "cuda" on a GPU


@torch.compile
def loss_of(x):
    with torch.autocast("cpu", dtype=torch.float16):  # "cuda" on a GPU
        return model(x).square().mean()


for x in torch.randn(3, 16, 8):
    scaler.scale(loss_of(x)).backward()
    scaler.step(optimizer)
    scaler.update()
    optimizer.zero_grad()
# endregion
# region checks
assert loss_of(x).isfinite()
# endregion
