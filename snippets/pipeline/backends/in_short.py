# /// lesson
# needs = ["compiler"]
# ///
"""Compare three backends with eager mode."""

from torch import nn, ones

model, batch = nn.Linear(8, 1), ones(4, 8)


def step(model):
    loss = model(batch).square().mean()
    loss.backward()
    gradients = [parameter.grad.clone() for parameter in model.parameters()]
    model.zero_grad()
    return loss.detach(), gradients


# region copy
import torch

expected = step(model)
for backend in ["eager", "aot_eager", "inductor"]:
    print(backend)
    torch.compiler.reset()
    torch.testing.assert_close(step(torch.compile(model, backend=backend)), expected)
# endregion

# region checks
assert len(expected[1]) == 2 and expected[0] > 0
# endregion
