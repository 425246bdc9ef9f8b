"""When each graph is compiled."""

import torch
from functorch.compile import make_boxed_func
from torch._dynamo.backends.common import aot_autograd


def layer(x, w):
    return torch.tanh(x @ w)


def announce(which):
    def compiler(graph_module, example_inputs):
        print("   compiling the", which, "graph")
        compiled.append(which)
        return make_boxed_func(graph_module.forward)

    return compiler


backend = aot_autograd(
    fw_compiler=announce("forward"),
    bw_compiler=announce("backward"),
    inference_compiler=announce("inference"),
)
compiled = []
fast = torch.compile(layer, backend=backend)
x, w = torch.ones(4, 3), torch.ones(3, 2, requires_grad=True)

for step in ("fast(x, w)", "fast(x, w).sum().backward()", "fast(x, w.detach())"):
    print(step)
    eval(step)
with torch.no_grad():
    print("fast(x, w) under torch.no_grad()")
    fast(x, w)

assert compiled == ["forward", "backward", "inference", "inference"]
