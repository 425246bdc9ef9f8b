# /// lesson
# varies.output = ['\d+ ms']
# varies.values = ["start"]
# ///
"""A loop over the elements of a tensor is unrolled into the graph."""

import time

import torch

from compile_lessons import Table, show


def by_loop(x):
    total, totals = torch.zeros(()), []
    for i in range(x.shape[0]):
        total = total + x[i]
        totals.append(total)
    return torch.stack(totals)


def by_one_operation(x):
    # region copy
    totals = torch.cumsum(x, 0)  # one node; a loop has two per element
    # endregion
    return totals


def keep_graph(graph_module, example_inputs):
    graphs.append(graph_module)
    return graph_module.forward


rows = []
for n in (4, 16, 64):
    nodes = []
    for function in (by_one_operation, by_loop):
        torch.compiler.reset()
        graphs, start = [], time.perf_counter()
        torch.compile(function, backend=keep_graph, fullgraph=True)(torch.ones(n))
        nodes.append(sum("call" in node.op for node in graphs[0].graph.nodes))
    rows.append([n, nodes[1], f"{(time.perf_counter() - start) * 1e3:.0f} ms", nodes[0]])
show(Table(["elements", "nodes, loop", "first call, loop", "nodes, torch.cumsum"], rows))
# region checks
assert [(row[1], row[3]) for row in rows] == [(2 * n + 2, 1) for n in (4, 16, 64)]
# endregion
