"""Python that is said to break the graph, and does not."""

import contextlib

import numpy
import torch

from compile_lessons import Table, show


@contextlib.contextmanager
def factor():
    yield 3


class Double(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        return x * 2

    @staticmethod
    def backward(ctx, grad):
        return grad * 2


def generator(x):
    return sum(x + i for i in range(3))


def try_except(x):
    try:
        return {}["missing"]
    except KeyError:
        return x * 2


def context_managers(x):
    with factor() as k, torch.no_grad():
        return x * k


def assertion(x):
    assert x.sum() > 0
    return x * 2


def numpy_call(x):
    return torch.from_numpy(numpy.sin(x.numpy()))


def f_string(x):
    text = f"{x.shape}"
    return x * len(text)


rows = []
for function in (generator, try_except, context_managers, assertion, numpy_call, f_string, Double.apply):
    torch.compiler.reset()
    found = torch._dynamo.explain(function)(torch.ones(8))
    rows.append([function.__qualname__, found.graph_count, len(found.break_reasons), found.op_count])

show(Table(["function", "graphs", "breaks", "operators"], rows))
assert all((graphs, breaks) == (1, 0) for _, graphs, breaks, _ in rows)
