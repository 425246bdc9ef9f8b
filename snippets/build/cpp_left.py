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
    return columns + rows + half.float().sum(-1), y[index], torch.cat([x, x]), torch.add(x, x, alpha=3)


def list_operators(module):
    calls = [node for node in module.graph.nodes if node.op == "call_function"]
    rows.extend([str(node.target), "C++" if claims(node) else "eager mode"] for node in calls)
    return compile_graph(module)


rows, x, index = [], torch.randn(6, 6) / 3, torch.tensor([0, 2])
results = torch.compile(mixed, backend=backend_of(list_operators, DECOMPOSITIONS))(x, index)
show(Table(["operator", "runs in"], rows))
# region checks
for result, expected in zip(results, mixed(x, index), strict=True):
    torch.testing.assert_close(result, expected, rtol=1e-3, atol=1e-3)
assert {"aten.mm.default", "aten.squeeze.dims"} <= {name for name, where in rows if where == "eager mode"}
# endregion
