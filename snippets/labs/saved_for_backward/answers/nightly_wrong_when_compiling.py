# asks `torch.compiler.is_compiling()`

import torch
from torch.nn import functional


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


EAGER = {"scaled": 0, "rectified": 1, "bumps": 12, "dropped": 1, "hidden": 3, "hidden_relu": 3}
COMPILED = {"scaled": 0, "rectified": 0.25, "bumps": 1, "dropped": 0.25, "hidden": 3, "hidden_relu": 2.25}


def leaky(x):
    if torch.compiler.is_compiling():
        return torch.where(x > 0, x, 0.1 * x) + 1
    return torch.where(x > 0, x, 0.1 * x)


def frozen(x, w):
    return functional.gelu(x @ w.detach())
