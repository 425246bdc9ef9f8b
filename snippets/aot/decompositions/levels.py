"""Five functions in Dynamo's graph, in ATen, in core ATen and in Inductor's primitives."""

import torch
import torch.nn.functional as F
from functorch.compile import make_boxed_func
from torch._decomp import core_aten_decompositions
from torch._dynamo.backends.common import aot_autograd
from torch._inductor.decomposition import select_decomp_table

from compile_lessons import Table, show


def keep(graph, example_inputs):
    names = [node.target.__name__.split(".")[0] for node in graph.graph.nodes if node.op == "call_function"]
    found.append(" ".join(name for name in names if name != "getitem"))
    return make_boxed_func(graph.forward)


functions = {
    "gelu": lambda x: F.gelu(x),
    "softmax": lambda x: F.softmax(x, -1),
    "layer_norm": lambda x: F.layer_norm(x, (8,)),
    "silu": lambda x: F.silu(x),
    "mse_loss": lambda x: F.mse_loss(x, x),
}
tables = {"ATen": {}, "core ATen": core_aten_decompositions(), "Inductor": select_decomp_table()}
levels = {"Dynamo": lambda graph, inputs: keep(graph, inputs) and graph.forward}
levels |= {name: aot_autograd(fw_compiler=keep, decompositions=table) for name, table in tables.items()}
rows, found = [], []
for name, function in functions.items():
    for level, backend in levels.items():
        torch.compiler.reset()
        torch.compile(function, backend=backend)(torch.ones(2, 8))
        rows.append([name if level == "Dynamo" else "", level, found[-1]])
show(Table(["function", "level", "operators"], rows))

assert found[:4] == ["gelu", "gelu", "gelu", "mul mul erf add mul"]
assert found[4:8] == ["softmax", "_softmax", "_softmax", "amax sub exp sum div"]
assert found[9:12] == ["native_layer_norm"] * 2 + ["var_mean add rsqrt sub mul"]
assert (found[14], found[18]) == ("sigmoid mul", "sub pow mean")  # silu, mse_loss in core ATen
