"""fullgraph=True turns a graph break into an error, which the program catches."""

import torch


@torch.compile(backend="eager", fullgraph=True)
def forward(x):
    y = x.relu()
    print("relu done")  # finding: compile-failed
    return y + 1


try:
    forward(torch.ones(4))
except Exception as error:
    print(type(error).__name__)
