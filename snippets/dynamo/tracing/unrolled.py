"""A loop over Python numbers is unrolled into the graph."""

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
    for function in (by_loop, lambda x: torch.cumsum(x, 0)):
        torch.compiler.reset()
        result = torch.compile(function, backend=keep_graph)(torch.ones(n))
        assert result.equal(torch.arange(1.0, n + 1))
    rows.append([n, *(sum(node.op.startswith("call") for node in graph.nodes) for graph in graphs[-2:])])

show(Table(["elements", "nodes, loop", "nodes, torch.cumsum"], rows))
loop_nodes, one_node = rows[-1][1:]
assert rows == [[n, 2 * n + 2, 1] for n in (4, 16, 64)]
