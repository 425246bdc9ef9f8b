# /// lesson
# env = {TORCH_LOGS = "-dynamo"}
# ///
"""With a break and without one: the setting that decides."""

import torch

from compile_lessons import Table, show


def keep_graph(graph_module, example_inputs):
    return graphs.append(graph_module) or graph_module.forward


def item(x):
    return torch.zeros(x.sum().item()) + 1


def nonzero(x):
    return (x * 2).nonzero() + 1


def mask(x):
    return (x * 2)[x > 0] + 1


rows, settings = [], {"capture_scalar_outputs": True, "capture_dynamic_output_shape_ops": True}
for function in (item, nonzero, mask):
    row = [function.__name__]
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
assert rows == [["item", 3, 1, 1], ["nonzero", 3, 1, 1], ["mask", 3, 1, 1]]
# endregion
