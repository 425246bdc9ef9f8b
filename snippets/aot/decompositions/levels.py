"""Five functions in ATen operators: without a table, with the core ATen table and with Inductor's."""

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


functions = [
    lambda x: F.gelu(x),
    lambda x: F.softmax(x, -1),
    lambda x: F.layer_norm(x, (8,)),
    lambda x: F.silu(x),
    lambda x: F.mse_loss(x, x),
]
tables = {"no table": {}, "core ATen": core_aten_decompositions(), "Inductor": select_decomp_table()}
rows = []
for function in functions:
    graphs = []
    for table in tables.values():
        torch.compiler.reset()
        torch.compile(function, backend=aot_autograd(fw_compiler=keep_graph, decompositions=table))(torch.ones(2, 8))
    rows.append([graphs[0], "the same" if graphs[1] == graphs[0] else graphs[1], graphs[2]])
show(Table(list(tables), rows))
# region checks
assert [row[0] for row in rows] == ["gelu", "_softmax", "native_layer_norm", "silu", "mse_loss"]
assert [row[1] for row in rows] == ["the same"] * 3 + ["sigmoid mul", "sub pow mean"]
assert [row[2] for row in rows[:3]] == ["mul mul erf add mul", "amax sub exp sum div", "var_mean add rsqrt sub mul"]
# endregion
