# /// lesson
# varies.output = ['\d+ ms']
# varies.values = ["start", "seconds"]
# ///
"""A loop over the elements of a tensor is unrolled into the graph."""

import time

import torch

from compile_lessons import Table, keep_graphs, show


def by_loop(x):
    total = torch.zeros(())
    totals = []
    for i in range(x.shape[0]):
        total = total + x[i]
        totals.append(total)
    return torch.stack(totals)


def by_one_operation(x):
    return torch.cumsum(x, 0)


def count_nodes(function, n):
    torch.compiler.reset()
    kept = keep_graphs()
    torch.compile(function, backend=kept, fullgraph=True)(torch.ones(n))
    return sum("call" in node.op for node in kept.graphs[0].graph.nodes)


rows = []
for n in (4, 16, 64):
    in_one_operation = count_nodes(by_one_operation, n)
    start = time.perf_counter()
    in_loop = count_nodes(by_loop, n)
    seconds = time.perf_counter() - start
    rows.append([n, in_loop, f"{seconds * 1e3:.0f} ms", in_one_operation])
columns = ["elements", "nodes, loop", "first call, loop", "nodes, torch.cumsum"]
show(Table(columns, rows))

# region checks
assert [row[1] for row in rows] == [2 * n + 2 for n in (4, 16, 64)]
assert [row[3] for row in rows] == [1, 1, 1]
# endregion
