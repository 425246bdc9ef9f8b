"""Compare what three tools report about functions with breaks."""

import torch

from compile_lessons import Table, capture, show


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
    breaks = capture(function, until="dynamo")(torch.ones(8)).breaks
    try:
        torch.compile(function, backend="eager", fullgraph=True)(torch.ones(8))
    except torch._dynamo.exc.Unsupported:
        whole = "error"
    rows.append([function.__name__, len(reasons), len(breaks), whole])
show(Table(["function", "explain(…).break_reasons", "capture(…).breaks", "fullgraph=True"], rows))

# region checks
assert [row[1:] for row in rows] == [[2, 2, "error"], [0, 1, "error"], [0, 1, "error"]]
# endregion
