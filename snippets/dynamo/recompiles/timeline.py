# /// lesson
# env = {TORCH_LOGS = "-dynamo"}
# ///
"""Ten calls, each with a new value: compiled, run again, or run in eager mode?"""

import torch

from compile_lessons import Diagram, show


def counting(graph_module, example_inputs):
    events.append("compiled")
    return lambda *inputs: events.append("ran compiled code") or graph_module.forward(*inputs)


x, module = torch.ones(64), torch.nn.Module()
module.forward = lambda x: x * module.k
cases = {  # the function, and the arguments of call n
    "tensor size": (lambda x: x.sum(), lambda n: (x[: n + 1],)),
    "float argument": (lambda x, s: x * s, lambda n: (x, n + 0.5)),
    "int argument": (lambda x, n: x[:n], lambda n: (x, n + 1)),
    "int on a module": (lambda x: module(x), lambda n: setattr(module, "k", n + 1) or (x,)),
}
nodes, edges, groups, compiles = {}, [], {}, []
for case, (function, arguments) in cases.items():
    torch.compiler.reset()
    compiled, last, nodes[case] = torch.compile(function, backend=counting), case, f"{case:15}"
    for n in range(1, 11):
        events, here = [], f"{case} {n}"
        compiled(*arguments(n))
        nodes[here], groups[here] = f"call {n}".ljust(15), (events or ["ran in eager mode"])[0]
        edges.append((last, here))
        last = here
    compiles.append(sum(groups[f"{case} {n}"] == "compiled" for n in range(1, 11)))
show(Diagram(nodes, edges, groups))
# region checks
assert compiles == [2, 2, 2, 8] and groups["int on a module 10"] == "ran in eager mode"
# endregion
