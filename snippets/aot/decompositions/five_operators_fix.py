"""With one decomposition, five operators are enough."""

import torch
import torch.nn.functional as F
from functorch.compile import make_boxed_func
from torch._decomp import get_decompositions  # private: no public name
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
    print(graph_module.code.strip())
    return make_boxed_func(graph_module.forward)


def layer(x, w):
    return F.gelu(F.linear(x, w))


table = get_decompositions([aten.gelu])
backend = aot_autograd(fw_compiler=compile_five_operators, decompositions=table)
x = torch.linspace(-1, 1, 6).reshape(2, 3)
w = torch.ones(4, 3)
y = torch.compile(layer, backend=backend)(x, w)
# region checks
torch.testing.assert_close(y, layer(x, w))
# endregion
