"""The same print in five places. Two of them leave graphs behind."""

import contextlib

import torch

from compile_lessons import Table, show


def straight(x):
    x = x + 1
    print(end="")
    return x * 2


def in_loop(x):
    for _ in range(3):
        x = x + 1
        print(end="")
    return x * 2


def in_try(x):
    x = x + 1
    try:
        print(end="")
    finally:
        x = x * 2
    return x


@contextlib.contextmanager
def scope():
    yield


def in_own_context(x):
    with scope():
        x = x + 1
        print(end="")
        return x * 2


def in_no_grad(x):
    with torch.no_grad():
        x = x + 1
        print(end="")
        return x * 2


rows = []
for function in (straight, in_loop, in_try, in_own_context, in_no_grad):
    torch.compiler.reset()
    found = torch._dynamo.explain(function)(torch.ones(8))
    rows.append([function.__name__, found.graph_count, found.graph_break_count, len(found.break_reasons)])

show(Table(["function", "graphs", "graph_break_count", "break_reasons"], rows))
skipped_graphs, skipped_count = rows[1][1:3]
assert [row[1] for row in rows] == [2, 0, 0, 0, 2]
assert [row[2] for row in rows] == [1, -1, -1, -1, 1]
