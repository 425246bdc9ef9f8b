"""Dynamo's graph and the ATen graph of the same function, line by line."""

import torch
import torch.nn.functional as F
from functorch.compile import make_boxed_func
from torch._dynamo.backends.common import aot_autograd

from compile_lessons import Table, show


def normalized(x):
    y = x.relu()
    y = F.layer_norm(y, (4,))
    return y + F.gelu(x)


def calls_by_line(graph_module):
    lines = {}
    for node in graph_module.graph.nodes:
        if node.op.startswith("call"):
            name = str(node.target) if "aten" in str(node.target) else getattr(node.target, "__name__", node.target)
            line = node.meta["stack_trace"].split("in normalized")[1].splitlines()[1].strip()
            lines.setdefault(line, []).append(name)
    return lines


def keep(graph_module, example_inputs):
    levels.append(calls_by_line(graph_module))
    if len(levels) == 1:  # Dynamo's graph
        return aot_autograd(fw_compiler=keep)(graph_module, example_inputs)
    return make_boxed_func(graph_module.forward)


levels = []
torch.compile(normalized, backend=keep)(torch.ones(2, 4))
dynamo, aten = levels
rows = [[line, ", ".join(dynamo[line]), ", ".join(aten[line])] for line in dynamo]
show(Table(["line", "Dynamo", "after AOTAutograd"], rows))
# region checks
assert list(dynamo.values()) == [["relu"], ["layer_norm"], ["gelu", "add"]]
relu, norm, last = aten.values()
assert relu == ["aten.relu.default"] and last == ["aten.gelu.default", "aten.add.Tensor"]
assert norm == ["aten.native_layer_norm.default", "getitem"]
# endregion
