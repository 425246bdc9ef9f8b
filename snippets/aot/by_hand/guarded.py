"""The same compiler behind Dynamo, which guards."""

import torch
from functorch.compile import make_boxed_func
from torch._dynamo.backends.common import aot_autograd


def mean(x):
    return x.sum() / x.numel()


def count(graph_module, example_inputs):
    compiles.append(graph_module)
    return make_boxed_func(graph_module.forward)


compiles = []
compiled = torch.compile(mean, backend=aot_autograd(fw_compiler=count))
print("mean of 4 ones:", compiled(torch.ones(4)).item())
print("mean of 8 ones:", compiled(torch.ones(8)).item())
print("mean of 16 ones:", compiled(torch.ones(16)).item())

graphs = len(compiles)
print("compiles:", graphs)
assert graphs == 2 and compiled(torch.ones(32)).item() == 1.0
