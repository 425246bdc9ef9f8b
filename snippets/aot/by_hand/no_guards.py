"""aot_function traces once: the second call runs the first call's graph."""

import torch
from functorch.compile import aot_function, make_boxed_func
from torch._dynamo.backends.common import aot_autograd  # private: no public name

from compile_lessons import Table, show

compiles = []


def count_and_run(graph_module, example_inputs):
    compiles.append(graph_module)
    return make_boxed_func(graph_module.forward)


def mean(x):
    return x.sum() / x.numel()


def row(name, function):
    compiles.clear()
    means = [function(torch.ones(size)).item() for size in (4, 8, 16)]
    return [name, str(means), len(compiles)]


traced_once = aot_function(mean, fw_compiler=count_and_run)
compiled = torch.compile(mean, backend=aot_autograd(fw_compiler=count_and_run))
rows = [row("aot_function", traced_once), row("torch.compile", compiled)]
show(Table(["compiled by", "mean of 4, 8 and 16 ones", "compiles"], rows))
# region checks
assert rows[0] == ["aot_function", "[1.0, 2.0, 4.0]", 1]
assert rows[1] == ["torch.compile", "[1.0, 1.0, 1.0]", 2]
# endregion
