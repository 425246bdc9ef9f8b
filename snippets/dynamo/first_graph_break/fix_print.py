"""With the print outside, fullgraph=True accepts the function."""

import torch


def shifted_square(x):
    y = torch.relu(x) + 1
    return y * y


compiled = torch.compile(shifted_square, backend="eager", fullgraph=True)
print("result:", compiled(torch.ones(3)))
