"""A question that holds for a range of sizes."""

import torch
from torch._dynamo.testing import CompileCounter


def ranged(x):
    return x + 1 if x.shape[0] <= 4 else x


counter, first = CompileCounter(), torch.ones(4)
torch._dynamo.mark_dynamic(first, 0)
compiled = torch.compile(ranged, backend=counter)
for x in (first, torch.ones(3), torch.ones(2)):
    compiled(x)

ranged_count = counter.frame_count
print("compiles for 4, 3 and 2:", ranged_count)
assert ranged_count == 1
