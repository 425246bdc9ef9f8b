# /// lesson
# env = {TORCH_LOGS = "-dynamo"}
# ///
"""Count the graphs with each setting."""

import torch

from compile_lessons import Table, keep_graphs, show


def zeros(x):
    return torch.zeros(x.sum().item()) + 1


def nonzero(x):
    return (x * 2).nonzero() + 1


def boolean_mask(x):
    return (x * 2)[x > 0] + 1


def count(function, fullgraph=False):
    torch.compiler.reset()
    kept = keep_graphs()
    compiled = torch.compile(function, backend=kept, fullgraph=fullgraph)
    for n in range(2, 8):
        compiled((torch.arange(8) < n).long())
    return len(kept.graphs)


functions = (zeros, nonzero, boolean_mask)
by_default = [count(function) for function in functions]
with_fullgraph = [count(function, fullgraph=True) for function in functions]
torch._dynamo.config.capture_scalar_outputs = True
torch._dynamo.config.capture_dynamic_output_shape_ops = True
with_settings = [count(function) for function in functions]

names = [function.__name__ for function in functions]
rows = zip(names, by_default, with_fullgraph, with_settings, strict=True)
show(Table(["function", "default", "fullgraph=True", "both settings on"], list(rows)))

# region checks
assert by_default == [3, 3, 3]
assert with_fullgraph == with_settings == [1, 1, 1]
# endregion
