"""No guards: the second call runs the first call's graph."""

import torch
from functorch.compile import aot_function, make_boxed_func


def mean(x):
    return x.sum() / x.numel()


def show_code(graph_module, example_inputs):
    print("compiling:", *graph_module.code.strip().splitlines(), sep="\n")
    return make_boxed_func(graph_module.forward)


compiled = aot_function(mean, fw_compiler=show_code)
four, eight = compiled(torch.ones(4)).item(), compiled(torch.ones(8)).item()
print("mean of 4 ones:", four)
print("mean of 8 ones:", eight)

assert (four, eight) == (1.0, 2.0)
