"""A stance from a debugging session was left in the program."""

import torch

torch.compiler.set_stance("force_eager")


@torch.compile(backend="eager")  # finding: nothing-compiled
def forward(x):
    return x.relu()


for _ in range(3):
    forward(torch.ones(4))
