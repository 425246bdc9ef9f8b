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
    pipeline = capture(function, until="dynamo", fullgraph=True)(torch.ones(8))
    rows.append([function.__name__, " ".join(node.name for node in pipeline.graphs[0].dynamo.calls)])
show(Table(["function", "operators of its only graph"], rows))

# region checks
import numpy

assert "_assert_async" in rows[3][1]


def numpy_call(x):
    return torch.from_numpy(numpy.sin(x.numpy()))


def formatted(x):
    assert x.sum() > 0, f"not positive: {x.shape}"
    return x * 2


def item(x):
    assert (x > 0).all().item()
    return x * 2


functions = (assertion, numpy_call, formatted, item)
assert [len(capture(f, until="dynamo")(torch.ones(8)).breaks) for f in functions] == [0, 0, 1, 1]
# endregion
