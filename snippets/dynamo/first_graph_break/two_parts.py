"""The compiled function with a print, written as plain Python."""

import torch


@torch.compile(backend="eager", fullgraph=True)
def first_part(x):
    return torch.relu(x) + 1


@torch.compile(backend="eager", fullgraph=True)
def second_part(y):
    return y * y


def shifted_square(x):
    y = first_part(x)
    print("halfway")
    return second_part(y)


print(shifted_square(torch.ones(8)))

# region checks
assert torch.equal(shifted_square(torch.ones(8)), torch.full((8,), 4.0))
# endregion
