"""Nodes without a tensor operation, and tensor operations without a node of their own."""

import numpy
import torch

from compile_lessons import Table, capture, show


@torch.compiler.allow_in_graph
def one_node(x):
    return x * 2 + 1


def frozen(x):
    with torch.no_grad():
        y = x * 2
    return x + y


def mixed(x):
    with torch.autocast("cpu", dtype=torch.bfloat16):
        return x @ x


examples = {
    "with torch.no_grad()": (frozen, ()),
    "with torch.autocast()": (mixed, ()),
    "x * (n * 2 + 1), n dynamic": (lambda x, n: x * (n * 2 + 1), (7,)),
    "x * numpy.float64(3)": (lambda x: x * numpy.float64(3), ()),
    "x.dim(), x.shape, x.dtype": (lambda x: x * x.dim() * x.shape[0] + (x.dtype == torch.int), ()),
    "an allow_in_graph function": (lambda x: one_node(x), ()),
}
x, rows = torch.ones(4, 4, requires_grad=True), []
for name, (function, arguments) in examples.items():
    pipeline = capture(function, until="dynamo", dynamic=bool(arguments))(x, *arguments)
    rows.append([name, " ".join(node.name for node in pipeline.graphs[0].dynamo.calls)])
show(Table(["code", "nodes"], rows))
# region checks
assert [len(row[1].split()) for row in rows] == [4, 3, 3, 2, 3, 1]
# endregion
