"""allow_in_graph: a global that the function reads is not guarded."""

import torch

factor = 2


@torch.compiler.allow_in_graph
def scaled(x):
    return x * factor


@torch.compile(backend="aot_eager", fullgraph=True)
def compiled(x):
    return scaled(x)


first = compiled(torch.ones(1)).item()
factor = 5
second = compiled(torch.ones(1)).item()
print("factor 2:", first)
print("factor 5:", second)
# region checks
assert first == 2
assert second == 2  # eager mode returns 5
# endregion
