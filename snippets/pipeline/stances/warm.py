"""Compile while warming up, then forbid it."""

import torch
from torch._dynamo.testing import CompileCounter

counter = CompileCounter()  # a backend that runs the graph as it is, and counts


@torch.compile(backend=counter, dynamic=False)
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
    print("new size, eager_on_recompile: served, graphs compiled in all:", counter.frame_count)

graphs = counter.frame_count
assert refused and graphs == 1
assert torch.equal(y, torch.ones(5).sin() * 2)
