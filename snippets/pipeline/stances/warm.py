"""Compile while warming up, then forbid it."""

import torch


@torch.compile(backend="eager", dynamic=False)
def scaled(x):
    return x.sin() * 2


scaled(torch.ones(4))
with torch.compiler.set_stance("fail_on_recompile"):
    scaled(torch.ones(4))
    print("known size: served")
    try:
        scaled(torch.ones(5))
    except RuntimeError as error:
        refused = True
        print("new size:", str(error).split(" filename")[0])

with torch.compiler.set_stance("eager_on_recompile"):
    y = scaled(torch.ones(5))
    print("new size, eager_on_recompile: served by eager", tuple(y.shape))
assert refused
