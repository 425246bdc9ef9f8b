# draws new inputs

import torch

SCALE = 2.0


def one_line(x):
    return torch.relu(x) * SCALE + 1


def on_sizes(x):
    half = x.shape[-1] // 2
    width = half + len(["a", "list", "of", "words"])
    return x * width


def branched(x, training=False):
    y = x.sin()
    if training:
        y = torch.nn.functional.dropout(y)
    return y.cos()


def unused(x):
    y = x.exp()
    y = y.abs()
    return x + 1


def halves(x):
    first, second = x.chunk(2, dim=-1)
    return first * second


CALLS = {"one_line": 3, "on_sizes": 1, "branched": 2, "unused": 3, "halves": 4}


def eight_additions(x):
    for _ in range(8):
        x = x + 0
    return torch.full((3, 5), 36.0)


def one_call(x, name):
    if name == "double":
        return x * 2
    return x * x
