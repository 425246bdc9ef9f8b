"""Print what Dynamo keeps for each local variable."""

import torch

# private: torch has no public way to look at Dynamo's stand-ins
from torch._dynamo.comptime import comptime

from compile_lessons import Table, keep_graphs, show


def scaled(x, n, names):
    factor = n * 2 + 1
    rows = x.shape[0]
    parts = [x, x.sum()]
    shift = lambda v: v + factor  # noqa: E731 (the lambda is one of the values)
    y = shift(parts[1])
    comptime(look)  # look() is called here
    return shift(x) * rows + y, parts, names, n * factor


def look(context):  # runs while Dynamo traces
    for name in ("x", "n", "names", "factor", "rows", "parts", "shift", "y"):
        value = context.get_local(name)
        stand_in = value._i_will_not_complain_if_bc_breaks_VariableTracker().realize()
        kind = type(stand_in).__name__
        is_tensor = kind == "TensorVariable"
        stands_for = value.as_fake() if is_tensor else value.python_type()
        rows.append([name, kind, str(getattr(stands_for, "__name__", stands_for))])


rows = []
kept = keep_graphs()
torch.compile(scaled, backend=kept)(torch.ones(4), 3, {"a": 1})
show(Table(["variable", "VariableTracker", "what it stands for"], rows))
print("nodes:", *(node.name for node in kept.graphs[0].graph.nodes))

# region checks
kinds = {row[0]: row[1] for row in rows}
assert kinds["x"] == kinds["y"] == "TensorVariable"
assert kinds["factor"] == kinds["rows"] == "ConstantVariable"
assert kinds["n"].endswith("ConstantVariable")
# endregion
