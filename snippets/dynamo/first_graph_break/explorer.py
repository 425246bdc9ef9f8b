"""An if that breaks the graph, and the same function without a break."""

import torch

from compile_lessons import Explorer, capture, show


def with_an_if(x):
    if x.sum() < 0:
        x = -x
    return torch.sqrt(x)


def with_where(x):
    x = torch.where(x.sum() < 0, -x, x)
    return torch.sqrt(x)


x = torch.ones(8)
captures = {
    "with a break": capture(with_an_if, until="dynamo")(x),
    "without": capture(with_where, until="dynamo")(x),
}
show(Explorer(captures, panes=["python", "breaks", "dynamo"]))
# region checks
before, after = captures.values()
assert (len(before.graphs), len(before.breaks)) == (2, 1)
assert (len(after.graphs), len(after.breaks)) == (1, 0)
# endregion
