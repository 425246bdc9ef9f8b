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
    graphs = explanation.graph_count
    breaks = explanation.graph_break_count
    reasons = len(explanation.break_reasons)
    rows.append([value, graphs, breaks, reasons])

columns = ["every element", "graph_count", "graph_break_count", "break_reasons"]
show(Table(columns, rows))

# region checks
assert rows == [[1.0, 2, 1, 1], [-1.0, 1, 0, 1]]
# endregion
