"""A condition on a size: decided while tracing, or in the graph."""

import warnings

import torch

from compile_lessons import Table, show


def step(x):
    return torch.cond(x.shape[0] > 2, lambda x: x.sin(), lambda x: x.cos(), (x,))


graphs = []


def keep_graph(graph_module, example_inputs):
    graphs.append(graph_module)
    return graph_module.forward


warnings.simplefilter("ignore")  # a warning says the same as the first row
rows = []
for dynamic in (False, True):
    torch.compiler.reset()
    graphs.clear()
    compiled = torch.compile(step, backend=keep_graph, dynamic=dynamic)
    compiled(torch.ones(4))
    operators = [node.name for node in graphs[0].graph.nodes if node.op.startswith("call")]
    compiled(torch.ones(2))
    rows.append([str(dynamic), len(graphs), ", ".join(operators)])

show(Table(["dynamic", "compiles for 4 and 2", "operators of the first"], rows))
static_compiles, dynamic_compiles = rows[0][1], rows[1][1]
assert (static_compiles, dynamic_compiles) == (2, 1)
assert "cond" not in rows[0][2] and "cond" in rows[1][2]
