# /// lesson
# needs = ["compiler"]
# data = ["_step4_prelude.h"]
# ///
"""Which operators of a function become C++, and which run in eager mode."""

import torch
from _step2_interpret import backend_of
from _step4_backend import compile_graph
from _step4_ops import DECOMPOSITIONS, claims

from compile_lessons import Table, show


def mixed(x, index):
    y = (x @ x).exp()  # a matmul
    columns = y.sum(0)  # a reduction of columns
    rows = y.amax(1)  # a reduction of rows, and a view that removes its dimension
    half = x.half() * 2  # a different dtype
    total = columns + rows + half.float().sum(-1)
    return total, y[index], torch.cat([x, x]), torch.add(x, x, alpha=3)


def list_operators(module):
    for node in module.graph.nodes:
        if node.op == "call_function":
            rows.append([str(node.target), "C++" if claims(node) else "eager mode"])
    return compile_graph(module)


rows = []
x = torch.randn(6, 6) / 3
index = torch.tensor([0, 2])
compiled = torch.compile(mixed, backend=backend_of(list_operators, DECOMPOSITIONS))
results = compiled(x, index)
show(Table(["operator", "runs in"], rows))
# region checks
for result, expected in zip(results, mixed(x, index), strict=True):
    torch.testing.assert_close(result, expected, rtol=1e-3, atol=1e-3)
in_eager_mode = {name for name, where in rows if where == "eager mode"}
assert {"aten.mm.default", "aten.squeeze.dims"} <= in_eager_mode
# endregion
