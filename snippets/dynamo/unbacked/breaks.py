"""The same function with and without a break, by the setting that decides."""

import logging

import torch

from compile_lessons import Table, show


def zeros(counts):
    n = counts.sum().item()
    return torch.zeros(n) + 1


graphs = []


def keep_graph(graph_module, example_inputs):
    graphs.append(graph_module)
    return graph_module.forward


torch._logging.set_logs(dynamo=logging.ERROR)
rows = []
for fullgraph, capture in ((False, False), (True, False), (False, True)):
    torch.compiler.reset()
    graphs.clear()
    with torch._dynamo.config.patch(capture_scalar_outputs=capture):
        compiled = torch.compile(zeros, backend=keep_graph, fullgraph=fullgraph)
        for n in range(2, 8):
            compiled(torch.tensor([n, 0]))
    rows.append([str(fullgraph), str(capture), len(graphs)])

show(Table(["fullgraph", "capture_scalar_outputs", "compiles for 6 values"], rows))
broken, whole, captured = (row[2] for row in rows)
assert (broken, whole, captured) == (3, 1, 1)
