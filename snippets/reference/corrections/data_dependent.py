# /// lesson
# env = {TORCH_LOGS = "-all"}
# ///
"""Values and sizes that depend on data: what breaks the graph, and what fullgraph=True captures."""

import torch

from compile_lessons import Table, show


def keep_graph(graph_module, example_inputs):
    graphs.append(graph_module)
    return graph_module.forward


functions = {
    "x.sum().item()": lambda x: (x + 1) * x.sum().item(),
    "float(x.sum())": lambda x: (x + 1) * float(x.sum()),
    "x.nonzero()": lambda x: (x + 1).nonzero() * 2,
    "x[x > 0]": lambda x: (x + 1)[x > 0] * 2,
    "x.data_ptr()": lambda x: ((x + 1) * 2, x.data_ptr()),
    "if x.data_ptr() % 16 == 0": lambda x: (x + 1) * 2 if x.data_ptr() % 16 == 0 else x,
    "if x.sum().item() > 0": lambda x: (x + 1) * 2 if x.sum().item() > 0 else x,
}
rows = []
for name, function in functions.items():
    row = [name]
    for fullgraph in (False, True):
        torch.compiler.reset()
        graphs = []
        try:
            torch.compile(function, backend=keep_graph, fullgraph=fullgraph)(torch.ones(4))
            row.append(f"{len(graphs)} graph{'s' * (len(graphs) != 1)}")
        except (torch._dynamo.exc.UserError, torch._dynamo.exc.Unsupported):
            row.append("error")
    rows.append(row)
show(Table(["function", "by default", "fullgraph=True"], rows))
# region checks
assert [row[2] for row in rows] == ["1 graph"] * 5 + ["error"] * 2
assert [row[1] for row in rows] == ["2 graphs"] * 4 + ["1 graph", "0 graphs", "2 graphs"]
# endregion
