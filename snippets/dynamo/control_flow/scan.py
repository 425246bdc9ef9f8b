"""scan carries a value along a dimension, and its graph does not grow."""

import torch
from torch._dynamo.testing import EagerAndRecordGraphs
from torch._higher_order_ops.scan import scan

from compile_lessons import Table, show


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


rows = []
for function in (with_loop, with_scan):
    for length in (5, 50):
        torch.compiler.reset()
        keep_graphs, x = EagerAndRecordGraphs(), torch.arange(float(length))
        result = torch.compile(function, backend=keep_graphs, fullgraph=True)(x)
        assert torch.equal(result, x.cumsum(0))
        rows.append([function.__name__, length, len(keep_graphs.graphs[0].graph.nodes)])

show(Table(["function", "length", "nodes"], rows))
loop_5, loop_50, scan_5, scan_50 = (row[2] for row in rows)
assert scan_5 == scan_50 < loop_5 < loop_50 == 3 * 50 + 4
