"""A backend with a compiler for each direction."""

import torch
from functorch.compile import make_boxed_func
from torch._dynamo.backends.common import aot_autograd
from torch._inductor.decomposition import select_decomp_table

from compile_lessons import Table, show


def compiler_for(direction):
    def compile_graph(graph_module, example_inputs):
        calls = [node.target for node in graph_module.graph.nodes if node.op == "call_function"]
        pointwise = sum(torch.Tag.pointwise in getattr(target, "tags", ()) for target in calls)
        rows.append([direction, len(example_inputs), len(calls), pointwise])
        return make_boxed_func(graph_module.forward)

    return compile_graph


rows = []
my_backend = aot_autograd(
    fw_compiler=compiler_for("forward"),
    bw_compiler=compiler_for("backward"),
    decompositions=select_decomp_table(),
)
model = torch.nn.Sequential(torch.nn.Linear(8, 8), torch.nn.GELU(), torch.nn.LayerNorm(8))
torch.compile(model, backend=my_backend)(torch.randn(4, 8)).sum().backward()

show(Table(["graph", "inputs", "operators", "of them pointwise"], rows))
(_, _, forward_operators, forward_pointwise), (_, _, backward_operators, backward_pointwise) = rows
assert [row[0] for row in rows] == ["forward", "backward"] and backward_operators > forward_operators
assert min(forward_pointwise / forward_operators, backward_pointwise / backward_operators) > 0.6
