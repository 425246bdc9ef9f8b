"""Other dtypes, sizes, strides and ways to a string."""

import torch


def step(x, scale, mode):
    y = x * scale
    return y.mean() if mode == "mean" else y.sum()


FIRST = (torch.randn(4, 3), 2.0, "mean")

RECOMPILES = {
    "dtype": (torch.ones(4, 3, dtype=torch.int64), 2.0, "mean"),
    "requires_grad": (torch.randn(4, 3, requires_grad=True), 2.0, "mean"),
    "rank": (torch.randn(4, 3, 2), 2.0, "mean"),
    "size": (torch.randn(1, 3), 2.0, "mean"),
    "strides": (torch.randn(4, 6)[:, ::2], 2.0, "mean"),
    "class": (torch.nn.Parameter(torch.randn(4, 3), requires_grad=False), 2.0, "mean"),
    "scale": (torch.randn(4, 3), 2, "mean"),
    "mode": (torch.randn(4, 3), 2.0, "max"),
}

HITS = {
    "numbers": (torch.zeros(4, 3), 2.0, "mean"),
    "part": (torch.randn(2, 4, 3)[1], 2.0, "mean"),
    "string": (torch.randn(4, 3), 2.0, "MEAN".lower()),
}
