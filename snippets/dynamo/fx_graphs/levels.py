"""Dynamo's graph and the ATen graph of the same function, line by line."""

import torch
import torch.nn.functional as F
from functorch.compile import make_boxed_func
from torch._dynamo.backends.common import aot_autograd  # no public name

from compile_lessons import Table, keep_graphs, show


def normalized(x):
    y = x.relu()
    y = F.layer_norm(y, (4,))
    return y + F.gelu(x)


def names_by_line(nodes):
    lines = {}
    for node in nodes:
        if node.op.startswith("call"):
            code = node.meta["stack_trace"].split("in normalized")[1].splitlines()[1]
            name = str(node.target)
            if "aten" not in name:
                name = getattr(node.target, "__name__", name)
            lines.setdefault(code.strip(), []).append(name)
    return lines


def keep_aten(aten_graph, example_inputs):
    aten.update(names_by_line(aten_graph.graph.nodes))
    return make_boxed_func(aten_graph.forward)


aten = {}
kept = keep_graphs()
torch.compile(normalized, backend=kept)(torch.ones(2, 4))
dynamo = names_by_line(kept.graphs[0].graph.nodes)
torch.compile(normalized, backend=aot_autograd(fw_compiler=keep_aten))(torch.ones(2, 4))

rows = [[line, ", ".join(dynamo[line]), ", ".join(aten[line])] for line in dynamo]
show(Table(["line", "Dynamo", "after AOTAutograd"], rows))

# region checks
assert list(dynamo.values()) == [["relu"], ["layer_norm"], ["gelu", "add"]]
relu, norm, last = aten.values()
assert relu == ["aten.relu.default"]
assert norm == ["aten.native_layer_norm.default", "getitem"]
assert last == ["aten.gelu.default", "aten.add.Tensor"]
# endregion
