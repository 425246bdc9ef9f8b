# asks `torch.compiler.is_compiling()`

import torch


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
    "scaled 8 16 32 64": 2,
    "scaled 8 1 16 1": 3,
    "branched 8 12 20 30": 3,
    "looped 8 12 20": 3,
}


def one_compile(x):
    torch._dynamo.mark_dynamic(x, 0)
    return x


def last_rows(x):
    if torch.compiler.is_compiling():
        return x.sum(dim=0)
    from_end = x.shape[0] - torch.arange(x.shape[0])
    return (x * (from_end <= 16).unsqueeze(1)).sum(dim=0)
