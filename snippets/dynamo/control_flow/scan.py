"""scan carries a value along a dimension, and its graph does not grow with the length."""

import torch
from torch._higher_order_ops.scan import scan

from compile_lessons import Table, capture, show


def add(total, x):
    total = total + x
    return total, total.clone()


def with_scan(x):
    return scan(add, torch.zeros(()), x)[1]


def with_loop(x):
    total, results = torch.zeros(()), []
    for part in x:
        total, result = add(total, part)
        results.append(result)
    return torch.stack(results)


def nodes(function, length):
    graph = capture(function, until="dynamo", fullgraph=True)(torch.arange(float(length))).graphs[0]
    return len(graph.dynamo.nodes)


rows = [[function.__name__, nodes(function, 5), nodes(function, 50)] for function in (with_loop, with_scan)]
show(Table(["function", "nodes for length 5", "nodes for length 50"], rows))

# region checks
assert rows[1][1] == rows[1][2] < rows[0][1] < rows[0][2] == 3 * 50 + 4
x = torch.arange(5.0)
compiled = torch.compile(with_scan, backend="eager", fullgraph=True)
assert torch.equal(compiled(x), x.cumsum(0)) and torch.equal(with_loop(x), x.cumsum(0))
# endregion
