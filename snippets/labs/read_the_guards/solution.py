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
    "dtype": (torch.randn(4, 3).double(), 2.0, "mean"),
    "requires_grad": (torch.randn(4, 3, requires_grad=True), 2.0, "mean"),
    "rank": (torch.randn(4), 2.0, "mean"),
    "size": (torch.randn(5, 3), 2.0, "mean"),
    "strides": (torch.randn(3, 4).T, 2.0, "mean"),
    "class": (torch.nn.Parameter(torch.randn(4, 3), requires_grad=False), 2.0, "mean"),
    "scale": (torch.randn(4, 3), 3.0, "mean"),
    "mode": (torch.randn(4, 3), 2.0, "sum"),
}

HITS = {
    "numbers": (torch.zeros(4, 3), 2.0, "mean"),
    "part": (torch.randn(8, 3)[4:], 2.0, "mean"),
    "string": (torch.randn(4, 3), 2.0, "".join(["me", "an"])),
}


if __name__ == "__main__":
    check("read_the_guards", __file__)
