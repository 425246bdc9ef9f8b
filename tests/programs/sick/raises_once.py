"""A compiled function raises an exception that the program expects: from that call on, it runs in eager mode."""

import torch


class TooLong(Exception):
    pass


@torch.compile(backend="eager")
def pool(tokens, longest=6):
    if tokens.shape[0] > longest:
        raise TooLong  # finding: skipped
    return tokens.mean(0)


def pool_all(tokens):
    try:
        return pool(tokens)
    except TooLong:
        return pool(tokens[:6])


for length in (4, 9, 9, 5, 9):
    pool_all(torch.ones(length, 2))
