# /// lesson
# raises = {type = "BackendCompilerFailed", message = "no rule for aten.gelu.default"}
# ///
"""A backend that knows five operators receives a sixth."""

import torch
import torch.nn.functional as F
from functorch.compile import make_boxed_func
from torch._dynamo.backends.common import aot_autograd  # private: no public name

aten = torch.ops.aten
SUPPORTED = {
    aten.mul.Tensor,
    aten.add.Tensor,
    aten.erf.default,
    aten.mm.default,
    aten.t.default,
}


def compile_five_operators(graph_module, example_inputs):
    for node in graph_module.graph.nodes:
        if node.op == "call_function" and node.target not in SUPPORTED:
            raise NotImplementedError(f"no rule for {node.target}")
    return make_boxed_func(graph_module.forward)


def layer(x, w):
    return F.gelu(F.linear(x, w))


backend = aot_autograd(fw_compiler=compile_five_operators)
torch.compile(layer, backend=backend)(torch.ones(2, 3), torch.ones(4, 3))
