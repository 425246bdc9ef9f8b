"""A backend that knows five operators meets a sixth."""

import torch
from functorch.compile import make_boxed_func
from torch._dynamo.backends.common import aot_autograd
from torch._dynamo.exc import BackendCompilerFailed

aten = torch.ops.aten
known = {aten.mul.Tensor, aten.add.Tensor, aten.erf.default, aten.mm.default, aten.t.default}


def five_operators(graph_module, example_inputs):
    targets = [node.target for node in graph_module.graph.nodes if node.op == "call_function"]
    for target in targets:
        if target not in known:
            raise NotImplementedError(f"no rule for {target}")
    print("all operators known:", *targets, sep="\n  ")
    return make_boxed_func(graph_module.forward)


def layer(x, w):
    return torch.nn.functional.gelu(torch.nn.functional.linear(x, w))


compiled = torch.compile(layer, backend=aot_autograd(fw_compiler=five_operators))
try:
    compiled(torch.ones(2, 3), torch.ones(4, 3))
except BackendCompilerFailed as error:
    reason = str(error).splitlines()[1]
    print(f"BackendCompilerFailed: {reason}")
assert reason == "NotImplementedError: no rule for aten.gelu.default"
