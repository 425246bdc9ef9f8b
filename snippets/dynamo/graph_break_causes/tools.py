"""What explain and fullgraph=True say about three functions with breaks."""

import torch

from compile_lessons import Table, show


def two_breaks(x):
    x = x + 1
    print(end="")
    x = x * 2
    torch._dynamo.graph_break()
    return x - 3


def at_the_start(x):
    print(end="")
    return x * 2


def in_loop(x):
    for _ in range(3):
        x = x + 1
        print(end="")
    return x * 2


rows = []
for function in (two_breaks, at_the_start, in_loop):
    torch.compiler.reset()
    reasons = torch._dynamo.explain(function)(torch.ones(8)).break_reasons
    try:
        torch.compile(function, backend="eager", fullgraph=True)(torch.ones(8))
    except torch._dynamo.exc.Unsupported as error:
        line = error.real_stack[-1].lineno - function.__code__.co_firstlineno
    rows.append([function.__name__, len(reasons), f"error, line {line}"])

show(Table(["function", "break_reasons of explain", "fullgraph=True"], rows))
assert [row[1] for row in rows] == [2, 0, 0]
assert [row[2] for row in rows] == ["error, line 2", "error, line 1", "error, line 3"]
