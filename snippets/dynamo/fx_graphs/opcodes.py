"""The opcodes of the graphs that Dynamo makes."""

from collections import Counter

import torch

from compile_lessons import Table, capture, show


class Gate(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.linear = torch.nn.Linear(4, 4)
        self.register_buffer("scale", torch.ones(4))

    def forward(self, x):
        y = torch.relu(self.linear(x)).mul(self.scale)
        return torch.cond(y.sum() > 0, lambda v: v.sin(), lambda v: v.cos(), (y,))


gate = Gate()
nodes = capture(gate, until="dynamo")(torch.ones(2, 4)).graphs[0].dynamo.nodes
by_dynamo = Counter(node.op for node in nodes)
by_fx = Counter(node.op for node in torch.fx.symbolic_trace(torch.nn.Sequential(gate.linear)).graph.nodes)

ops = ["placeholder", "get_attr", "call_function", "call_method", "call_module", "output"]
first = {node.op: node.target for node in reversed(nodes)}
rows = [[op, by_dynamo[op], first.get(op, ""), by_fx[op]] for op in ops]
show(Table(["op", "nodes", "first target", "symbolic_trace of the Linear"], rows))
# region checks
assert [row[1] > 0 for row in rows] == [True, True, True, True, False, True] and rows[4][3] == 1
assert (by_dynamo["placeholder"], by_dynamo["get_attr"]) == (4, 2)
# endregion
