# /// lesson
# data = ["checks.py", "lab.toml"]
# ///
"""Read the guards, and make one fail at a time.

`step` is compiled for the arguments FIRST. Each entry of RECOMPILES is what a
second call gets: (x, scale, mode).

1. Replace each `...` in RECOMPILES by arguments that differ from FIRST in the
   property that is named, in nothing else, and that trigger a recompile. The
   numbers in a tensor may be any.
2. Write into HITS three different second calls that reuse the compiled code:
   with other numbers in x, with an x that is a part of a larger tensor, and
   with a mode that is equal to "mean" but is not the same object as FIRST's.
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
