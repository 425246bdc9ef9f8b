"""Python that is said to break the graph, and does not."""

import contextlib

import torch

from compile_lessons import Table, show


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


rows = []
for function in (generator, try_except, context_manager):
    torch.compiler.reset()
    found = torch._dynamo.explain(function)(torch.ones(8))
    names = [node.name for node in found.graphs[0].graph.nodes if "call" in node.op]
    rows.append([function.__name__, found.graph_count, len(found.break_reasons), " ".join(names)])

show(Table(["function", "graphs", "breaks", "nodes"], rows))
assert all(row[1:3] == [1, 0] for row in rows)
