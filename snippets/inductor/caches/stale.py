# /// lesson
# needs = ["compiler"]
# ///
"""Change an operator's gradient, and compile again with the same cache folder."""

import torch
from torch._dynamo.utils import counters

from compile_lessons import Table, show


def define(name, factor):
    @torch.library.custom_op(name, mutates_args=())
    def scale(x: torch.Tensor) -> torch.Tensor:
        return x * factor

    scale.register_fake(torch.empty_like)
    scale.register_autograd(lambda ctx, gradient: gradient * factor)
    return lambda x: scale(x)


def differentiate(function):
    x = torch.ones(8, requires_grad=True)
    y = function(x)
    y.sum().backward()
    return [y[0].item(), x.grad[0].item()]


rows = []
for change, name, factor in [
    ("(first compile)", "lesson::scale", 2.0),
    ("the factor", "lesson::scale", 3.0),
    ("the name", "lesson::scale_by_3", 3.0),
]:
    torch.compiler.reset()  # as a new process does: nothing in memory, the files on disk
    counters.clear()
    function = define(name, factor)
    compiled, eager = differentiate(torch.compile(function)), differentiate(function)
    hit = counters["aot_autograd"]["autograd_cache_hit"]
    rows.append([change, "hit" if hit else "miss", *eager, *compiled])
show(Table(["changed", "cache", "eager: value", "gradient", "compiled: value", "gradient"], rows))
# region checks
first, stale, renamed = [row[1:] for row in rows]
assert first == ["miss", 2, 2, 2, 2] and renamed == ["miss", 3, 3, 3, 3]
assert stale == ["hit", 3, 3, 3, 2]  # the gradient of the first operator


def asked(function, x):
    torch.compiler.reset()
    counters.clear()
    torch.compile(function)(x)
    return counters["aot_autograd"]["autograd_cache_hit"], counters["aot_autograd"]["autograd_cache_miss"]


def attend(q):
    return torch.nn.functional.scaled_dot_product_attention(q, q, q)


with torch.no_grad():
    assert asked(attend, torch.ones(1, 2, 16, 8)) == (0, 1)
    with torch.nn.attention.sdpa_kernel(torch.nn.attention.SDPBackend.MATH):
        assert asked(attend, torch.ones(1, 2, 16, 8)) == (1, 0)
    torch.compiler.config.cache_key_tag = "2"
    assert asked(attend, torch.ones(1, 2, 16, 8)) == (0, 1)
# endregion
