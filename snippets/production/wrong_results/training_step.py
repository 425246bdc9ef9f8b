# /// lesson
# needs = ["compiler"]
# ///
"""Compare a training step with four backends and in eager mode."""

from torch import nn, ones

model = nn.Sequential(nn.Linear(8, 8), nn.Dropout(0.5), nn.Linear(8, 1))
batch = ones(4, 8)


def step(model):
    loss = model(batch).square().mean()
    loss.backward()
    gradients = [parameter.grad.clone() for parameter in model.parameters()]
    model.zero_grad()
    return loss.detach(), gradients


# region copy
import copy
import random

import torch
import torch._inductor.config

# Inductor draws the random numbers of eager mode
torch._inductor.config.fallback_random = True
model = copy.deepcopy(model)  # undoes model.compile()


def seeded(model):
    torch.manual_seed(0)
    random.seed(0)
    return step(model)


expected = seeded(model)
for backend in ["eager", "aot_eager", "aot_eager_decomp_partition", "inductor"]:
    print(backend)
    torch.compiler.reset()
    compiled = torch.compile(model, backend=backend)
    torch.testing.assert_close(seeded(compiled), expected)
# endregion

# region checks
assert len(expected[1]) == 4
assert expected[0] > 0
# endregion
