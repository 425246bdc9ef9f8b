"""Sizes in an exported graph: fixed, free, or named with a range."""

import torch
from torch.export import Dim, export

from compile_lessons import Table, show


# region pair
class Pair(torch.nn.Module):
    def forward(self, x, y):
        return (x + y).relu() if x.shape[0] > 4 else x + y


batch = Dim("batch", min=5, max=64)
up_to_64 = Dim("batch", max=64)
declarations = {
    "no dynamic shapes": None,
    "Dim.DYNAMIC": ({0: Dim.DYNAMIC}, {0: Dim.DYNAMIC}),
    'Dim("batch", min=5, max=64)': ({0: batch}, {0: batch}),
    'Dim("batch", max=64)': ({0: up_to_64}, {0: up_to_64}),
    "only x is dynamic": ({0: batch}, None),
}
# endregion


def export_with(dynamic_shapes):
    """Return the shapes of x and y in the graph and the ranges, or why export fails."""
    x = torch.ones(8, 3)
    try:
        exported = export(Pair(), (x, x.clone()), dynamic_shapes=dynamic_shapes)
    except Exception as error:
        lines = [line.strip() for line in str(error).splitlines() if "batch" in line]
        return f"fails: {lines[1]}"
    nodes = [node for node in exported.graph.nodes if node.op == "placeholder"]
    shapes = [str(list(node.meta["val"].shape)) for node in nodes]
    ranges = [str(limits) for limits in exported.range_constraints.values()]
    return " ".join([*shapes, *ranges])


rows = [[name, export_with(shapes)] for name, shapes in declarations.items()]
show(Table(["declaration", "x, y and the range"], rows))
# region checks
outcomes = [row[1] for row in rows]
assert outcomes[0].startswith("[8, 3]")
assert "5" in outcomes[1]
assert "64" in outcomes[2]
assert all(outcome.startswith("fails") for outcome in outcomes[3:])
# endregion
