"""A backend of the program's own raises an error."""

import torch


def backend(module, inputs):
    raise RuntimeError("no kernel for relu")


@torch.compile(backend=backend)  # finding: compile-failed
def forward(x):
    return x.relu()


try:
    forward(torch.ones(4))
except Exception as error:
    print(type(error).__name__)
