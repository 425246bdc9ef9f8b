# /// lesson
# needs = ["compiler"]
# ///
"""Two backward passes over one graph: an error, and advice that a cache defeats."""

import torch
from torch._functorch import config
from torch._inductor.utils import fresh_cache  # private

from compile_lessons import Table, show

torch.manual_seed(0)
x = torch.randn(64, 64)
weight = torch.randn(64, 64, requires_grad=True)
rows = []


def loss(x):
    return ((x @ weight).sin() @ weight).sin().sum()


def compare(gradient):
    return "right" if torch.allclose(gradient, expected, atol=1e-3) else "WRONG"


# region passes
def two_passes(compiled):
    total = compiled(x)
    [first] = torch.autograd.grad(total, weight, retain_graph=True)
    [second] = torch.autograd.grad(total, weight)
    return first, second


def try_two_passes(setting):
    torch.compiler.reset()
    compiled = torch.compile(loss)
    compiled(x).backward()  # an ordinary step, which compiles and fills the cache
    try:
        first, second = two_passes(compiled)
        rows.append([setting, compare(first), compare(second)])
    except RuntimeError as error:
        rows.append([setting, str(error)[:67] + "…", ""])


[expected] = torch.autograd.grad(loss(x), weight)
try_two_passes("default")
config.donated_buffer = False
try_two_passes("donated_buffer = False")
with fresh_cache():
    try_two_passes("the same, with an empty cache")
# endregion
show(Table(["setting", "first pass", "second pass"], rows))
# region checks
assert [row[2] for row in rows] == ["", "WRONG", "right"]
assert "non-empty donated" in rows[0][1]
# endregion
