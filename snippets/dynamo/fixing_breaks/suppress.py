"""suppress_errors changes nothing about breaks."""

import logging

import torch

from compile_lessons import Table, show


def shifted_square(x):
    y = torch.relu(x) + 1
    print(end="")
    return y * y


def keep_graph(graph_module, example_inputs):
    graphs.append(graph_module)
    return graph_module.forward


torch._logging.set_logs(dynamo=logging.CRITICAL)
rows = []
for fullgraph in (False, True):
    for suppress in (False, True):
        torch.compiler.reset()
        torch._dynamo.config.suppress_errors = suppress
        graphs = []
        try:
            torch.compile(shifted_square, backend=keep_graph, fullgraph=fullgraph)(torch.ones(3))
            outcome = f"{len(graphs)} graphs"
        except torch._dynamo.exc.Unsupported:
            outcome = "Unsupported"
        rows.append([str(fullgraph), str(suppress), outcome])
show(Table(["fullgraph", "suppress_errors", "outcome"], rows))

# region checks
assert [row[2] for row in rows] == ["2 graphs"] * 2 + ["Unsupported"] * 2
# endregion
