"""allow_in_graph: no guard is on a global, so a new value gives a wrong result."""

import torch

factor = 2


@torch.compiler.allow_in_graph
def scaled(x):
    return x * factor


@torch.compile(backend="aot_eager", fullgraph=True)
def twice(x):
    return scaled(x)


first = twice(torch.ones(1)).item()
factor = 5
second = twice(torch.ones(1)).item()
print("factor 2:", first)
print("factor 5:", second)
# region checks
assert (first, second) == (
    2.0,
    2.0,
)  # the 2 is in AOTAutograd's graph, and no guard is on `factor`
# endregion
