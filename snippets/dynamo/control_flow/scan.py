"""scan carries a value along a dimension, and its graph doesn't grow."""

import torch
from torch._higher_order_ops.scan import scan  # torch has no public name

from compile_lessons import Table, capture, show


# region functions
def add(total, x):
    total = total + x
    return total, total.clone()


def with_scan(x):
    return scan(add, torch.zeros(()), x)[1]


def with_loop(x):
    total = torch.zeros(())
    results = []
    for part in x:
        total, result = add(total, part)
        results.append(result)
    return torch.stack(results)


# endregion
rows = []
for function in (with_loop, with_scan):
    row = [function.__name__]
    for length in (5, 50):
        x = torch.arange(float(length))
        [graph] = capture(function, until="dynamo", fullgraph=True)(x).graphs
        row.append(len(graph.dynamo.nodes))
    rows.append(row)
show(Table(["function", "nodes for length 5", "nodes for length 50"], rows))

# region checks
assert rows[1][1] == rows[1][2] < rows[0][1] < rows[0][2] == 3 * 50 + 4
compiled = torch.compile(with_scan, backend="eager", fullgraph=True)
assert torch.equal(compiled(x), x.cumsum(0))
assert torch.equal(with_loop(x), x.cumsum(0))
# endregion
