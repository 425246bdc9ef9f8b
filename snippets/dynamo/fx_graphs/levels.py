"""Dynamo's graph and the ATen graph of the same function."""

from itertools import zip_longest

import torch
import torch.nn.functional as F
from functorch.compile import make_boxed_func
from torch._dynamo.backends.common import aot_autograd

from compile_lessons import Table, show


def normalized(x):
    return F.layer_norm(x.relu(), (4,)) + F.gelu(x)


def targets(graph_module):
    calls = [node.target for node in graph_module.graph.nodes if node.op.startswith("call")]
    return [str(target) if "aten" in str(target) else getattr(target, "__name__", target) for target in calls]


def keep_aten(graph_module, example_inputs):
    columns.append(targets(graph_module))
    return make_boxed_func(graph_module.forward)


def keep_dynamo(graph_module, example_inputs):
    columns.append(targets(graph_module))
    return aot_autograd(fw_compiler=keep_aten)(graph_module, example_inputs)


columns = []
torch.compile(normalized, backend=keep_dynamo)(torch.ones(2, 4))
show(Table(["Dynamo", "after AOTAutograd"], list(zip_longest(*columns, fillvalue=""))))
# region checks
dynamo, aten = columns
assert dynamo == ["relu", "layer_norm", "gelu", "add"]
assert aten[:3] == ["aten.relu.default", "aten.native_layer_norm.default", "getitem"]
assert aten[3:] == ["aten.gelu.default", "aten.add.Tensor"]
# endregion
