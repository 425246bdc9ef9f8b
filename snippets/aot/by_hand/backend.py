"""A backend with a compiler for each direction."""

import torch
from functorch.compile import make_boxed_func
from torch._dynamo.backends.common import aot_autograd
from torch._inductor.decomposition import select_decomp_table

from compile_lessons import Table, show


# region copy
def compile_forward(graph_module, example_inputs):
    graphs["forward"] = graph_module.graph
    return make_boxed_func(graph_module.forward)  # generate code here


def compile_backward(graph_module, example_inputs):
    graphs["backward"] = graph_module.graph
    return make_boxed_func(graph_module.forward)


graphs, decompositions = {}, select_decomp_table()
backend = aot_autograd(fw_compiler=compile_forward, bw_compiler=compile_backward, decompositions=decompositions)
model = torch.nn.Sequential(torch.nn.Linear(8, 8), torch.nn.GELU(), torch.nn.LayerNorm(8))
torch.compile(model, backend=backend)(torch.randn(4, 8)).sum().backward()
# endregion

rows = []
for direction, graph in graphs.items():
    calls = [node.target for node in graph.nodes if node.op == "call_function"]
    pointwise = sum(torch.Tag.pointwise in getattr(target, "tags", ()) for target in calls)
    rows.append([direction, len(graph.find_nodes(op="placeholder")), len(calls), pointwise])
show(Table(["graph", "inputs", "operators", "of them pointwise"], rows))
# region checks
assert [row[0] for row in rows] == ["forward", "backward"] and rows[1][2] > rows[0][2]
assert all(row[3] > row[2] / 2 for row in rows)
# endregion
