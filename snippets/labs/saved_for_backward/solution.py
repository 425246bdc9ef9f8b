# /// lesson
# data = ["checks.py", "lab.toml"]
# ///
"""Saved for backward: how much does the forward pass of each function keep for
the backward pass?

1. Replace each `...` in EAGER and COMPILED with the bytes that are kept, as a
   multiple of the bytes of x. x and w are float32, have the same size, and
   require gradients. Inputs count, too, if the backward pass needs them.
2. Write `leaky`: x where x is positive and 0.1 * x elsewhere. Compiled, it
   keeps at most a quarter of the bytes of x.
3. Write `frozen`: gelu(x @ w) for a weight that isn't trained. Only x gets a
   gradient. Compiled, it keeps at most twice the bytes of x.
"""

import torch
from torch.nn import functional

from compile_lessons.labs import check


def scaled(x, w):
    return 3 * x + 1


def rectified(x, w):
    return torch.relu(x)


def bumps(x, w):
    for _ in range(4):
        x = x.cos() * x.sin()
    return x


def dropped(x, w):
    return functional.dropout(x, 0.1)


def hidden(x, w):
    return functional.gelu(x @ w)


def hidden_relu(x, w):
    return torch.relu(x @ w)


EAGER = {
    "scaled": 0,
    "rectified": 1,
    "bumps": 12,
    "dropped": 1,
    "hidden": 3,
    "hidden_relu": 3,
}
COMPILED = {
    "scaled": 0,
    "rectified": 0.25,
    "bumps": 1,
    "dropped": 0.25,
    "hidden": 3,
    "hidden_relu": 2.25,
}


def leaky(x):
    return torch.where(x > 0, x, 0.1 * x)


def frozen(x, w):
    return functional.gelu(x @ w.detach())


if __name__ == "__main__":
    check("saved_for_backward", __file__)
