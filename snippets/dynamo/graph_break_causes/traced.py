"""Python that Dynamo traces without a break."""

import contextlib

import torch

from compile_lessons import Table, capture, show


@contextlib.contextmanager
def factor():
    yield 3


def generator(x):
    return sum(x + i for i in range(3))


def try_except(x):
    try:
        return {}["missing"]
    except KeyError:
        return x * 2


def context_manager(x):
    with factor() as k:
        return x * k


def assertion(x):
    assert x.sum() > 0, "not positive"
    return x * 2


rows = []
for function in (generator, try_except, context_manager, assertion):
    [graph] = capture(function, until="dynamo", fullgraph=True)(torch.ones(8)).graphs
    rows.append([function.__name__, " ".join(node.name for node in graph.dynamo.calls)])
show(Table(["function", "operators of its only graph"], rows))

# region checks
assert "_assert_async" in rows[3][1]
# endregion
