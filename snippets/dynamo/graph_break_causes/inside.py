"""A print in a place where Dynamo cannot resume: nothing is compiled."""

import contextlib

import torch


def in_loop(x):
    for _ in range(3):
        x = x + 1
        print(end="")
    return x


def in_try(x):
    try:
        print(end="")
        return x * 2
    finally:
        pass


@contextlib.contextmanager
def scope():
    yield


def in_own_context(x):
    with scope():
        print(end="")
        return x * 2


for function in (in_loop, in_try, in_own_context):
    torch.compiler.reset()
    found = torch._dynamo.explain(function)(torch.ones(8))
    skipped_graphs, skipped_count = found.graph_count, found.graph_break_count
    print(f"{function.__name__:14}  graphs: {skipped_graphs}  graph_break_count: {skipped_count}")
    assert (skipped_graphs, skipped_count, found.break_reasons) == (0, -1, [])
