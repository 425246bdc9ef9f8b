"""A disabled call in a loop costs the whole function."""

import torch

from compile_lessons import Table, capture, show

means = []


@torch.compiler.disable
def remember(mean):
    means.append(float(mean))


def in_loop(x):
    for _ in range(3):
        x = torch.tanh(x) + 1
        remember(x.mean())
    return x * 2


def returned(x):
    collected = []
    for _ in range(3):
        x = torch.tanh(x) + 1
        collected.append(x.mean())
    return x * 2, torch.stack(collected)


functions = (in_loop, returned)
rows = [[function.__name__, len(capture(function, until="dynamo")(torch.ones(8)).graphs)] for function in functions]
show(Table(["function", "graphs"], rows))

# region checks
assert [row[1] for row in rows] == [0, 1]
# endregion
