# /// lesson
# env = {TORCH_LOGS_FORMAT = "%(message)s"}
# ///
"""Two compilations of one function share its recompile limit, unless they are isolated."""

import torch

from compile_lessons import Table, show


def scaled(x):
    return x.sin() * 2


def keep_graph(graph_module, example_inputs):
    graphs.append(graph_module)
    return graph_module.forward


graphs, rows, x = [], [], torch.ones(8)
for isolated in (False, True):
    torch.compiler.reset()
    graphs.clear()
    settings = {"backend": keep_graph, "recompile_limit": 1, "isolate_recompiles": isolated}
    one, other = torch.compile(scaled, **settings), torch.compile(scaled, **settings)
    one(x)
    other(x.double())
    rows.append([f"isolate_recompiles={isolated}", len(graphs)])
show(Table(["compiled with", "graphs"], rows))

# region checks
assert [row[1] for row in rows] == [1, 2]
# endregion
