"""Ten calls, each with a new argument: compiled, or run again?"""

import torch

from compile_lessons import Diagram, show


def counting(graph_module, example_inputs):
    events.append("compiled")
    return lambda *x: events.append("ran compiled code") or graph_module.forward(*x)


x = torch.ones(64)
cases = {
    "int argument": (lambda x, n: x[:n], [(x, i + 2) for i in range(10)]),
    "float argument": (lambda x, s: x * s, [(x, i + 0.5) for i in range(10)]),
    "tensor size": (lambda x: x.sum(), [(x[: i + 2],) for i in range(10)]),
}
nodes, edges, groups, compiles = {}, [], {}, []
for case, (function, arguments) in cases.items():
    torch.compiler.reset()
    compiled, last = torch.compile(function, backend=counting), case
    nodes[case] = f"{case:14}"
    for number, values in enumerate(arguments, 1):
        events, here = [], f"{case} {number}"
        compiled(*values)
        nodes[here] = f"call {number}".ljust(14)
        groups[here] = events[0]
        edges.append((last, here))
        last = here
    compiles.append(sum(groups[f"{case} {n}"] == "compiled" for n in range(1, 11)))

show(Diagram(nodes, edges, groups))
argument_compiles = compiles[0]
assert compiles == [2, 2, 2]
