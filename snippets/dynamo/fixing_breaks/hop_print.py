"""A print that is an operator of the graph."""

import torch

from compile_lessons import keep_graphs


def reports(x):
    y = torch.relu(x) + 1
    torch._higher_order_ops.print("y is {}", y)  # torch has no public name for it
    y.add_(100)
    return y


kept = keep_graphs()
compiled = torch.compile(reports, backend=kept, fullgraph=True)
print("result:", compiled(torch.ones(3)))
kept.graphs[0].print_readable()
