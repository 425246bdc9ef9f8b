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
pipeline = capture(gate, until="dynamo")(torch.ones(2, 4))
nodes = pipeline.graphs[0].dynamo.nodes
by_dynamo = Counter(node.op for node in nodes)
traced = torch.fx.symbolic_trace(torch.nn.Sequential(gate.linear))
by_fx = Counter(node.op for node in traced.graph.nodes)

rows = []
first = {node.op: node.target for node in reversed(nodes)}
calls = ["call_function", "call_method", "call_module"]
for op in ["placeholder", "get_attr", *calls, "output"]:
    rows.append([op, by_dynamo[op], first.get(op, ""), by_fx[op]])
show(Table(["op", "nodes", "first target", "symbolic_trace of the Linear"], rows))

# region checks
assert [row[1] > 0 for row in rows] == [True, True, True, True, False, True]
assert rows[4][3] == 1
assert (by_dynamo["placeholder"], by_dynamo["get_attr"]) == (4, 2)
# endregion
