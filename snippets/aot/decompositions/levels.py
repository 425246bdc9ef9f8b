"""Five functions in Dynamo's graph, in ATen, in core ATen and in Inductor's operators."""

import torch
import torch.nn.functional as F
from functorch.compile import make_boxed_func
from torch._decomp import core_aten_decompositions
from torch._dynamo.backends.common import aot_autograd
from torch._inductor.decomposition import select_decomp_table

from compile_lessons import Table, show


def keep_graph(graph_module, example_inputs):
    names = [n.target.__name__.split(".")[0] for n in graph_module.graph.nodes if n.op == "call_function"]
    graphs.append(" ".join(names).replace(" getitem", ""))
    return make_boxed_func(graph_module.forward)


functions = {
    "gelu": lambda x: F.gelu(x),
    "softmax": lambda x: F.softmax(x, -1),
    "layer_norm": lambda x: F.layer_norm(x, (8,)),
    "silu": lambda x: F.silu(x),
    "mse_loss": lambda x: F.mse_loss(x, x),
}
tables = {"ATen": {}, "core ATen": core_aten_decompositions(), "Inductor": select_decomp_table()}
levels = {"Dynamo": lambda graph, inputs: keep_graph(graph, inputs) and graph.forward}
levels |= {name: aot_autograd(fw_compiler=keep_graph, decompositions=table) for name, table in tables.items()}
rows = []
for function in functions.values():
    graphs = []
    for backend in levels.values():
        torch.compiler.reset()
        torch.compile(function, backend=backend)(torch.ones(2, 8))
    rows.append(graphs)
show(Table(list(levels), rows))
# region checks
assert [row[0] for row in rows] == list(functions)
assert [row[3] for row in rows[:2]] == ["mul mul erf add mul", "amax sub exp sum div"]
assert rows[2][1:] == ["native_layer_norm"] * 2 + ["var_mean add rsqrt sub mul"]
assert (rows[3][2], rows[4][2]) == ("sigmoid mul", "sub pow mean")
# endregion
