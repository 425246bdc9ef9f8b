"""suppress_errors changes nothing about breaks."""

import logging

import torch

from compile_lessons import Table, show


def shifted_square(x):
    y = torch.relu(x) + 1
    print(end="")
    return y * y


graphs, rows = [], []


def keep_graph(graph_module, example_inputs):
    graphs.append(graph_module)
    return graph_module.forward


torch._logging.set_logs(dynamo=logging.CRITICAL)
for fullgraph in (False, True):
    for suppress in (False, True):
        torch.compiler.reset()
        graphs.clear()
        with torch._dynamo.config.patch(suppress_errors=suppress):
            try:
                torch.compile(shifted_square, backend=keep_graph, fullgraph=fullgraph)(torch.ones(3))
                outcome = "a result"
            except torch._dynamo.exc.Unsupported as error:
                outcome = type(error).__name__
        rows.append([str(fullgraph), str(suppress), len(graphs), outcome])

show(Table(["fullgraph", "suppress_errors", "graphs", "outcome"], rows))
graphs_off, graphs_on = rows[0][2], rows[1][2]
assert (graphs_off, graphs_on) == (2, 2)
assert rows[2][3] == rows[3][3] == "Unsupported"
