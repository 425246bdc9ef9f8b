"""A graph, printed as code and as a table."""

import re

import torch
import torch.nn.functional as F

from compile_lessons import Table, show


def gated(x, w):
    top, bottom = (x @ w).chunk(2)
    return F.gelu(top).add(bottom, alpha=2)


def read(graph_module, example_inputs):
    print(re.sub(r"File: \S+/", "File: ", graph_module.print_readable(print_output=False)))
    for node in graph_module.graph.nodes:
        target = node.target if isinstance(node.target, str) else node.target.__name__
        rows.append([node.op, node.name, target, f"{node.args} {node.kwargs or ''}"])
        ops.append(node.op)
    return graph_module.forward


rows, ops = [], []
torch.compile(gated, backend=read)(torch.ones(4, 4), torch.ones(4, 4))
show(Table(["op", "name", "target", "args and kwargs"], rows))

node_count, calls = len(ops), sum(op.startswith("call") for op in ops)
assert (node_count, calls) == (9, 6) and ops[-1] == "output" and ops[:2] == ["placeholder"] * 2
