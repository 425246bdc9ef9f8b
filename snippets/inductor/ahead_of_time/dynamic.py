"""Sizes in an exported graph: fixed, free, or named with a range."""

import torch
from torch.export import Dim, export


class Pair(torch.nn.Module):
    def forward(self, x, y):
        return (x + y).relu() if x.shape[0] > 4 else x + y


def attempt(name, shapes):
    try:
        exported = export(Pair(), (torch.ones(8, 3), torch.ones(8, 3)), dynamic_shapes=shapes)
        nodes = [node.meta["val"].shape for node in exported.graph.nodes if node.op == "placeholder"]
        ranges = [str(limits) for limits in exported.range_constraints.values()]
        outcomes.append(f"x is {nodes[0]}, y is {nodes[1]} {' '.join(ranges)}".replace("torch.Size", ""))
    except Exception as error:
        lines = [line.strip() for line in str(error).splitlines() if "batch" in line]
        outcomes.append("fails: " + " ".join(lines[1:2]))
    print(f"{name}\n    {outcomes[-1]}")


batch, outcomes = Dim("batch", min=5, max=64), []
attempt("no dynamic shapes", None)
attempt("Dim.DYNAMIC", ({0: Dim.DYNAMIC}, {0: Dim.DYNAMIC}))
attempt('Dim("batch", min=5, max=64)', ({0: batch}, {0: batch}))
attempt('Dim("batch", max=64)', ({0: Dim("batch", max=64)},) * 2)
attempt("only x is dynamic", ({0: batch}, None))
# region checks
assert outcomes[0].startswith("x is ([8, 3])") and "5" in outcomes[1] and "64" in outcomes[2]
assert all(outcome.startswith("fails") for outcome in outcomes[3:])
# endregion
