"""Most matmuls stay whole; a few small matmuls are decomposed."""

import torch

from compile_lessons import Table, capture, show

linear = torch.nn.Linear(8, 8)
convolution = torch.nn.Conv2d(1, 1, 3)
calls = {
    "(64, 64) @ (64, 64)": (torch.mm, torch.ones(64, 64), torch.ones(64, 64)),
    "(1, 5) @ (5, 1)": (torch.mm, torch.ones(1, 5), torch.ones(5, 1)),
    "Linear(8, 8), batch 8": (linear, torch.ones(8, 8)),
    "Linear(8, 8), batch 1": (linear, torch.ones(1, 8)),
    "Conv2d": (convolution, torch.ones(1, 1, 4, 4)),
}
rows = []
with torch.no_grad():
    for name, (function, *inputs) in calls.items():
        [graph] = capture(function, until="aot")(*inputs).graphs
        operators = [node.target.split(".")[1] for node in graph.forward.calls]
        rows.append([name, " ".join(operators)])
show(Table(["call", "operators on a CPU"], rows))
# region checks
whole = {"mm", "addmm", "convolution"}
stays_whole = [not whole.isdisjoint(operators.split()) for _, operators in rows]
assert stays_whole == [True, False, True, False, True]
# endregion
