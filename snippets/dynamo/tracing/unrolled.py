# /// lesson
# varies.output = ['\d+ ms']
# varies.values = ["milliseconds", "start"]
# ///
"""A loop over Python numbers is unrolled into the graph."""

import time

import torch

from compile_lessons import Table, show


def by_loop(x):
    total, totals = torch.zeros(()), []
    for i in range(x.shape[0]):
        total = total + x[i]
        totals.append(total)
    return torch.stack(totals)


def keep_graph(graph_module, example_inputs):
    graphs.append(graph_module.graph)
    return graph_module.forward


graphs, rows = [], []
for n in (4, 16, 64):
    for function in (lambda x: torch.cumsum(x, 0), by_loop):
        torch.compiler.reset()
        start = time.perf_counter()
        result = torch.compile(function, backend=keep_graph, fullgraph=True)(torch.ones(n))
        milliseconds = (time.perf_counter() - start) * 1e3  # of the loop: it comes second
        assert result.equal(torch.arange(1.0, n + 1))
    one, loop = (sum("call" in node.op for node in graph.nodes) for graph in graphs[-2:])
    rows.append([n, loop, f"{milliseconds:.0f} ms", one])

show(Table(["elements", "nodes, loop", "first call, loop", "nodes, torch.cumsum"], rows))
loop_nodes, one_node = rows[-1][1], rows[-1][3]
assert [[*row[:2], row[3]] for row in rows] == [[n, 2 * n + 2, 1] for n in (4, 16, 64)]
