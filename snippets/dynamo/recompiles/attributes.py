# /// lesson
# env = {TORCH_LOGS = "-dynamo"}
# ///
"""Ten calls of a module, each with a new attribute."""

import torch

from compile_lessons import Diagram, show


class Scale(torch.nn.Module):
    def forward(self, x):
        return x * self.factor


def counting(graph_module, example_inputs):
    events.append("compiled")
    return lambda *x: events.append("ran compiled code") or graph_module.forward(*x)


cases = {"tensor": torch.arange(10), "float": torch.arange(0.5, 10).tolist(), "int": range(2, 12)}
nodes, edges, groups, compiles = {}, [], {}, []
for case, factors in cases.items():
    torch.compiler.reset()
    scale, last = Scale(), case
    compiled = torch.compile(scale, backend=counting)
    nodes[case] = f"{case} attribute".ljust(16)
    for number, scale.factor in enumerate(factors, 1):
        events, here = [], f"{case} {number}"
        compiled(torch.ones(4))
        nodes[here] = f"call {number}".ljust(16)
        groups[here] = [*events, "ran in eager mode"][0]
        edges.append((last, here))
        last = here
    compiles.append(sum(groups[f"{case} {n}"] == "compiled" for n in range(1, 11)))

show(Diagram(nodes, edges, groups))
tensor_compiles, float_compiles, int_compiles = compiles
assert compiles == [1, 2, 8]
assert groups["int 9"] == groups["int 10"] == "ran in eager mode"
