"""A compiled function is called for what fits, and the caller tests that."""

import torch


class TooLong(Exception):
    pass


@torch.compile(backend="eager")
def pool(tokens):
    return tokens.mean(0)


def check(tokens, longest=6):
    if tokens.shape[0] > longest:
        raise TooLong


def pool_all(tokens):
    try:
        check(tokens)
        return pool(tokens)
    except TooLong:
        return pool(tokens[:6])


for length in (4, 9, 9, 5, 9):
    pool_all(torch.ones(length, 2))
