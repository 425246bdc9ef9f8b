"""Print what Dynamo keeps for each local variable."""

import torch
from torch._dynamo.comptime import comptime

from compile_lessons import Table, show


def scaled(x, n, names):
    factor = n * 2 + 1
    rows = x.shape[0]
    parts = [x, x.sum()]
    shift = lambda v: v + factor  # noqa: E731
    y = shift(parts[1])
    comptime(look)  # look() is called here
    return shift(x) * rows + y, parts, names, n * factor


def look(context):  # runs while Dynamo traces
    for name in ("x", "n", "names", "factor", "rows", "parts", "shift", "y"):
        value = context.get_local(name)
        tracker = value._i_will_not_complain_if_bc_breaks_VariableTracker().realize()
        holds = value.as_fake() if value.is_proxy() and "Tensor" in type(tracker).__name__ else value.python_type()
        rows.append([name, type(tracker).__name__, str(getattr(holds, "__name__", holds))])


def keep_nodes(graph_module, example_inputs):
    nodes.extend(node.name for node in graph_module.graph.nodes)
    return graph_module.forward


rows, nodes = [], []
torch.compile(scaled, backend=keep_nodes)(torch.ones(4), 3, {"a": 1})
show(Table(["variable", "VariableTracker", "what it stands for"], rows))
print("nodes:", *nodes)
# region checks
kinds = {row[0]: row[1] for row in rows}
assert kinds["x"] == kinds["y"] == "TensorVariable"
assert kinds["n"].endswith("ConstantVariable") and kinds["factor"] == kinds["rows"] == "ConstantVariable"
# endregion
