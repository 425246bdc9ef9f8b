"""Five functions in ATen operators: without a table, and with two tables."""

import torch
import torch.nn.functional as F
from torch._decomp import core_aten_decompositions  # private: no public name
from torch._inductor.decomposition import select_decomp_table  # private
from torch.fx.experimental.proxy_tensor import make_fx

from compile_lessons import Table, show


def gelu(x):
    return F.gelu(x)


def silu(x):
    return F.silu(x)


def softmax(x):
    return F.softmax(x, -1)


def layer_norm(x):
    return F.layer_norm(x, (8,))


def mse_loss(x):
    return F.mse_loss(x, x)


def operators(function, table):
    traced = make_fx(function, decomposition_table=table)(torch.ones(2, 8))
    calls = [node for node in traced.graph.nodes if node.op == "call_function"]
    names = [node.target.__name__.split(".")[0] for node in calls]
    return " ".join(name for name in names if name != "getitem")


tables = {
    "no table": {},
    "core ATen": core_aten_decompositions(),
    "Inductor": select_decomp_table(),
}
rows = []
for function in (gelu, softmax, layer_norm, silu, mse_loss):
    rows.append([operators(function, table) for table in tables.values()])
show(Table(list(tables), rows))
# region checks
no_table, core, inductor = zip(*rows, strict=True)
assert no_table == ("gelu", "_softmax", "native_layer_norm", "silu", "mse_loss")
assert core[:3] == no_table[:3]
assert core[3:] == ("sigmoid mul", "sub pow mean")
assert inductor[0] == "mul mul erf add mul"
assert inductor[1] == "amax sub exp sum div"
assert inductor[2] == "var_mean add rsqrt sub mul"
# endregion
