"""A decomposition that you write."""

import torch
from functorch.compile import make_boxed_func
from torch._dynamo.backends.common import aot_autograd  # private: no public name


def decomposed_hardswish(x):
    return x * torch.clamp(x + 3, 0, 6) / 6


def print_and_run(graph_module, example_inputs):
    print(graph_module.code.strip())
    return make_boxed_func(graph_module.forward)  # a compiler would generate code here


table = {torch.ops.aten.hardswish.default: decomposed_hardswish}
backend = aot_autograd(fw_compiler=print_and_run, decompositions=table)
hardswish = torch.nn.functional.hardswish
y = torch.compile(hardswish, backend=backend)(torch.linspace(-4, 4, 9))
# region checks
torch.testing.assert_close(y, hardswish(torch.linspace(-4, 4, 9)))
# endregion
