# /// lesson
# data = ["checks.py", "lab.toml"]
# ///
"""Read the guards, and make one fail at a time.

`step` is compiled for the arguments FIRST. Each entry of RECOMPILES holds the
arguments of a second call: (x, scale, mode).

1. Replace each `...` in RECOMPILES with arguments that differ from FIRST in the
   named property alone, and that trigger a recompile. A tensor can hold any
   numbers.
2. Write three different second calls that reuse the compiled code into HITS:
   one with different numbers in x, one whose x is part of a larger tensor, and
   one whose mode is equal to "mean" but isn't the same object as in FIRST.
"""

import torch

from compile_lessons.labs import check


def step(x, scale, mode):
    y = x * scale
    return y.mean() if mode == "mean" else y.sum()


FIRST = (torch.randn(4, 3), 2.0, "mean")

RECOMPILES = {
    "dtype": ...,
    "requires_grad": ...,
    "rank": ...,
    "size": ...,
    "strides": ...,
    "class": ...,
    "scale": ...,
    "mode": ...,
}

HITS = {"numbers": ..., "part": ..., "string": ...}


if __name__ == "__main__":
    check("read_the_guards", __file__)
