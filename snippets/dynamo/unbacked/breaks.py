# /// lesson
# env = {TORCH_LOGS = "-dynamo"}
# ///
"""Count the graphs with each setting."""

import torch

from compile_lessons import Table, show


def keep_graph(graph_module, example_inputs):
    graphs.append(graph_module)
    return graph_module.forward


functions = {
    "x.sum().item()": lambda x: torch.zeros(x.sum().item()) + 1,
    "nonzero": lambda x: (x * 2).nonzero() + 1,
    "boolean mask": lambda x: (x * 2)[x > 0] + 1,
}
rows, settings = [], {"capture_scalar_outputs": True, "capture_dynamic_output_shape_ops": True}
for name, function in functions.items():
    row = [name]
    for fullgraph, patch in ((False, {}), (True, {}), (False, settings)):
        torch.compiler.reset()
        graphs = []
        with torch._dynamo.config.patch(patch):
            compiled = torch.compile(function, backend=keep_graph, fullgraph=fullgraph)
            for n in range(2, 8):
                compiled((torch.arange(8) < n).long())
        row.append(len(graphs))
    rows.append(row)
show(Table(["function", "default", "fullgraph=True", "both settings on"], rows))
# region checks
assert [row[1:] for row in rows] == [[3, 1, 1]] * 3
# endregion
