"""The fix: what changes is an argument."""

import torch
from torch._dynamo.testing import CompileCounter

counter = CompileCounter()  # a backend that runs the graph as it is, and counts


@torch.compile(backend=counter, fullgraph=True)
def scaled(x, scale):
    return x * scale


results = [scaled(torch.ones(1), torch.tensor(10.0 * (call + 1))).item() for call in range(3)]
graphs = counter.frame_count
print("results:", results, "· graphs:", graphs)
assert results == [10.0, 20.0, 30.0] and graphs == 1
