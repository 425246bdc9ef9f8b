"""Nodes without a tensor operation, and operations without a node of their own."""

import numpy
import torch

from compile_lessons import Table, capture, show


def frozen(x):
    with torch.no_grad():
        y = x * 2
    return x + y


def in_bfloat16(x):
    with torch.autocast("cpu", dtype=torch.bfloat16):
        return x @ x


def use_attributes(x):
    return x * x.dim() * x.shape[0] + (x.dtype == torch.int)


@torch.compiler.allow_in_graph
def one_node(x):
    return x * 2 + 1


def nodes_of(function, *arguments, dynamic=False):
    x = torch.ones(4, 4, requires_grad=True)
    pipeline = capture(function, until="dynamo", dynamic=dynamic)(x, *arguments)
    return " ".join(node.name for node in pipeline.graphs[0].dynamo.calls)


rows = [
    ["with torch.no_grad()", nodes_of(frozen)],
    ["with torch.autocast()", nodes_of(in_bfloat16)],
    ["n * 2 + 1, n dynamic", nodes_of(lambda x, n: x * (n * 2 + 1), 7, dynamic=True)],
    ["x * numpy.float64(3)", nodes_of(lambda x: x * numpy.float64(3))],
    ["x.dim(), x.shape, x.dtype", nodes_of(use_attributes)],
    ["an allow_in_graph function", nodes_of(lambda x: one_node(x))],  # noqa: PLW0108
]
show(Table(["code", "nodes"], rows))

# region checks
assert [len(row[1].split()) for row in rows] == [4, 3, 3, 2, 3, 1]
# endregion
