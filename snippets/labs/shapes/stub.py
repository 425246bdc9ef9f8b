# /// lesson
# data = ["checks.py", "lab.toml"]
# ///
"""Shapes: how many versions does a function need for its input sizes, and
how can it need fewer?

1. Replace each `...` in COMPILES with the number of compiles. Each key names
   the function and the sizes of x in dimension 0, call by call; dimension 1 is
   always 4.
2. `one_compile` gets each tensor before a compiled function does, and returns
   the tensor. Change it so that three calls with 8, 16 and 32 rows need one
   compile in total.
3. `last_rows` sums the last 16 rows of x, or all if there are fewer. Rewrite
   it so that calls with any six sizes from 2 to 64 rows need at most two
   compiles.
"""

import torch

from compile_lessons.labs import check


def scaled(x):
    return x * 2 + 1


def branched(x):
    if x.shape[0] > 16:
        return x.sum(dim=0)
    return x.mean(dim=0)


def looped(x):
    total = torch.zeros(4)
    for row in x:
        total = total + row
    return total


COMPILES = {
    "scaled 8 16 32 64": ...,
    "scaled 8 1 16 1": ...,
    "branched 8 12 20 30": ...,
    "looped 8 12 20": ...,
}


def one_compile(x):
    return x


def last_rows(x):
    if x.shape[0] > 16:
        x = x[-16:]
    return x.sum(dim=0)


if __name__ == "__main__":
    check("shapes", __file__)
