"""The program fails before it comes to the compiled function: its own error is all there is to say."""

import torch


@torch.compile(backend="eager")
def double(x):
    return x * 2


data = torch.load("no-such-file.pt")
print(double(data))
