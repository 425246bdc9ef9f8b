"""A condition on a size: decided while tracing, or kept in the graph."""

import warnings

import torch

from compile_lessons import Table, capture, show


def step(x):
    return torch.cond(x.shape[0] > 2, lambda x: x.sin(), lambda x: x.cos(), (x,))


warnings.simplefilter("ignore")  # torch warns that the condition is a constant
rows = []
for dynamic in (False, True):
    [graph] = capture(step, until="dynamo", dynamic=dynamic)(torch.ones(4)).graphs
    rows.append([str(dynamic), ", ".join(node.name for node in graph.dynamo.calls)])
show(Table(["dynamic", "operators"], rows))

# region checks
assert "cond" not in rows[0][1]
assert "cond" in rows[1][1]
# endregion
