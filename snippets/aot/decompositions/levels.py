"""One call at three levels: Dynamo's graph, core ATen, Inductor's primitives."""

import torch
import torch.nn.functional as F
from functorch.compile import make_boxed_func
from torch._decomp import core_aten_decompositions
from torch._dynamo.backends.common import aot_autograd
from torch._inductor.decomposition import select_decomp_table

from compile_lessons import Table, show


def operators(graph_module, example_inputs):
    found.append([n.target.__name__.split(".")[0] for n in graph_module.graph.nodes if n.op == "call_function"])
    return make_boxed_func(graph_module.forward)


def dynamo(graph_module, example_inputs):
    operators(graph_module, example_inputs)
    return graph_module.forward


functions = {
    "gelu": lambda x: F.gelu(x),
    "softmax": lambda x: F.softmax(x, -1),
    "layer_norm": lambda x: F.layer_norm(x, (8,)),
    "silu": lambda x: F.silu(x),
    "mse_loss": lambda x: F.mse_loss(x, x),
}
graphs, rows = {}, []
for name, function in functions.items():
    tables = {"ATen": {}, "core ATen": core_aten_decompositions(), "Inductor": select_decomp_table()}
    backends = {"Dynamo": dynamo}
    backends |= {level: aot_autograd(fw_compiler=operators, decompositions=table) for level, table in tables.items()}
    for level, backend in backends.items():
        torch.compiler.reset()
        found = []
        torch.compile(function, backend=backend)(torch.ones(2, 8))
        graphs[name, level] = found[0]
        rows.append([name if level == "Dynamo" else "", level, " ".join(op for op in found[0] if op != "getitem")])
show(Table(["function", "level", "operators"], rows))
gelu_operators = len(graphs["gelu", "Inductor"])
assert all(graphs[name, "ATen"][0].endswith(name) for name in functions)
assert graphs["gelu", "core ATen"] == ["gelu"] and gelu_operators == 5
assert "var_mean" in graphs["layer_norm", "Inductor"] and "amax" in graphs["softmax", "Inductor"]
