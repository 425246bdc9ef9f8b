"""Calls that are said to break the graph, and do not."""

import numpy
import torch

from compile_lessons import Table, show


class Double(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        return x * 2

    @staticmethod
    def backward(ctx, grad):
        return grad * 2


def assertion(x):
    assert x.sum() > 0
    return x * 2


cases = {
    "a custom autograd.Function": Double.apply,
    "NumPy": lambda x: torch.from_numpy(numpy.sin(x.numpy())),
    "an f-string of a shape": lambda x: x * len(f"{x.shape}"),
    "assert on a tensor": assertion,
}
rows = []
for name, function in cases.items():
    torch.compiler.reset()
    found = torch._dynamo.explain(function)(torch.ones(8))
    names = [node.name for node in found.graphs[0].graph.nodes if "call" in node.op]
    rows.append([name, found.graph_count, len(found.break_reasons), " ".join(names)])

show(Table(["what", "graphs", "breaks", "nodes"], rows))
assert all(row[1:3] == [1, 0] for row in rows)
