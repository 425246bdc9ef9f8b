"""The opcodes of the graphs that Dynamo makes."""

from collections import Counter

import torch

from compile_lessons import Table, show


class Gate(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.linear = torch.nn.Linear(4, 4)
        self.register_buffer("scale", torch.ones(4))

    def forward(self, x):
        y = torch.relu(self.linear(x)).mul(self.scale)
        return torch.cond(y.sum() > 0, lambda v: v.sin(), lambda v: v.cos(), (y,))


def keep_nodes(graph_module, example_inputs):
    nodes.extend(graph_module.graph.nodes)
    return graph_module.forward


nodes = []
gate = Gate()
torch.compile(gate, backend=keep_nodes)(torch.ones(2, 4))
by_dynamo = Counter(node.op for node in nodes)
by_fx = Counter(node.op for node in torch.fx.symbolic_trace(torch.nn.Sequential(gate.linear)).graph.nodes)

ops = ["placeholder", "get_attr", "call_function", "call_method", "call_module", "output"]
examples = {node.op: str(node.target) for node in reversed(nodes)}
show(Table(["op", "nodes", "first target"], [[op, by_dynamo[op], examples.get(op, "")] for op in ops]))
print("symbolic_trace of one Linear:", dict(by_fx))

inputs, module_calls = by_dynamo["placeholder"], by_dynamo["call_module"]
assert set(by_dynamo) | {"call_module"} == set(ops)
assert (inputs, by_dynamo["get_attr"], module_calls, by_fx["call_module"]) == (4, 2, 0, 1)
