# /// lesson
# raises = {type = "BackendCompilerFailed", message = "no rule for aten.gelu.default"}
# ///
"""A backend that knows five operators receives a sixth."""

import torch
from functorch.compile import make_boxed_func
from torch._dynamo.backends.common import aot_autograd

aten = torch.ops.aten
RULES = {aten.mul.Tensor, aten.add.Tensor, aten.erf.default, aten.mm.default, aten.t.default}


def five_operators(graph_module, example_inputs):
    for node in graph_module.graph.nodes:
        if node.op == "call_function" and node.target not in RULES:
            raise NotImplementedError(f"no rule for {node.target}")
    return make_boxed_func(graph_module.forward)


@torch.compile(backend=aot_autograd(fw_compiler=five_operators))
def layer(x, w):
    return torch.nn.functional.gelu(torch.nn.functional.linear(x, w))


layer(torch.ones(2, 3), torch.ones(4, 3))
