# "scale" is not a call of `step`

import torch


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
    "scale": 3.0,
    "mode": (torch.randn(4, 3), 2.0, "sum"),
}

HITS = {
    "numbers": (torch.zeros(4, 3), 2.0, "mean"),
    "part": (torch.randn(8, 3)[4:], 2.0, "mean"),
    "string": (torch.randn(4, 3), 2.0, "".join(["me", "an"])),
}
