"""graph_break_count is the number of graphs minus one, so it can miss a break."""

import torch

from compile_lessons import Table, show


def double_if_positive(x):
    if x.sum() > 0:
        return x * 2
    return x


rows = []
for value in (1.0, -1.0):
    torch.compiler.reset()
    explanation = torch._dynamo.explain(double_if_positive)(torch.full((8,), value))
    reasons = len(explanation.break_reasons)
    rows.append([value, explanation.graph_count, explanation.graph_break_count, reasons])

show(Table(["every element", "graph_count", "graph_break_count", "break_reasons"], rows))

# region checks
missed_count = rows[1][2]
assert rows == [[1.0, 2, 1, 1], [-1.0, 1, 0, 1]]


def at_the_start(x):
    print(end="")
    return x * 2


def in_loop(x):
    for _ in range(3):
        x = x + 1
        print(end="")
    return x * 2


for function in (at_the_start, in_loop):  # it misses a break without an operation before it, and a skipped function
    torch.compiler.reset()
    assert torch._dynamo.explain(function)(torch.ones(8)).break_reasons == []
# endregion
