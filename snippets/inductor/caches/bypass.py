# /// lesson
# needs = ["compiler"]
# ///
"""Compiles that are not cached, and the reason that torch gives."""

import torch
import torch._inductor.config

from compile_lessons import Table, capture, show


def plain_pass(graph):
    pass


@torch.compiler.allow_in_graph
def helper(x):
    return x * 2


class Scale(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        return x * 2

    @staticmethod
    def backward(ctx, grad):
        return grad * 2


def report(name, function, *inputs, **settings):
    for lookup in capture(function, **settings)(*inputs).caches:
        rows.append([name, lookup.cache, lookup.state, lookup.key.splitlines()[0][:90]])


rows, x, linear = [], torch.ones(64, 64), torch.nn.Linear(64, 64)
report("a function as a pass", torch.relu, x, options={"post_grad_custom_post_pass": plain_pass})
report("allow_in_graph", lambda x: helper(x) + 1, x)
report("autograd.Function", lambda x: Scale.apply(x) + 1, x.requires_grad_())
torch._inductor.config.freezing = True
with torch.no_grad():
    report("freezing", linear, x)
show(Table(["compile of", "cache", "state", "key or reason"], rows))
