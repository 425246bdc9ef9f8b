"""A compiled function raises an exception of the program's own, which ends the program."""

import torch


@torch.compile(backend="eager")
def pool(tokens, longest=6):
    if tokens.shape[0] > longest:
        raise ValueError(f"{tokens.shape[0]} tokens, and {longest} is the most")  # finding: exception
    return tokens.mean(0)


for length in (4, 6, 9):
    print(pool(torch.ones(length, 2)))
