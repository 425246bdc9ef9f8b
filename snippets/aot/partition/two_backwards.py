# /// lesson
# needs = ["compiler"]
# ///
"""Two backward passes over one graph: an error, and its advice, which doesn't help if a cache has the old code."""

import torch
from torch._functorch import config
from torch._inductor.utils import fresh_cache

from compile_lessons import Table, show

torch.manual_seed(0)
x, weight = torch.randn(64, 64), torch.randn(64, 64, requires_grad=True)


def loss(x):
    return ((x @ weight).sin() @ weight).sin().sum()


def gradients(function, calls=2):
    total = function(x)
    return [torch.autograd.grad(total, weight, retain_graph=calls > 1)[0] for _ in range(calls)]


def outcome():
    """Compare two backward passes, after an ordinary one, with eager mode."""
    torch.compiler.reset()
    compiled = torch.compile(loss)
    gradients(compiled, calls=1)
    try:
        return ["right" if torch.allclose(g, expected, atol=1e-3) else "WRONG" for g in gradients(compiled)]
    except RuntimeError as error:
        return [str(error)[:67] + "…", ""]


[expected] = gradients(loss, calls=1)
rows = [["default", *outcome()]]
with config.patch(donated_buffer=False):
    rows.append(["donated_buffer = False", *outcome()])
    with fresh_cache():
        rows.append(["the same, with an empty cache", *outcome()])
show(Table(["setting", "first pass", "second pass"], rows))
# region checks
assert [row[2] for row in rows] == ["", "WRONG", "right"] and "non-empty donated" in rows[0][1]
# endregion
