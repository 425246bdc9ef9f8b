# /// lesson
# needs = ["compiler"]
# ///
"""warm_up.py: call the model as the service does, and count the hits."""

import torch
from torch._dynamo.utils import counters  # private: there is no public name

model = torch.nn.Sequential(torch.nn.Linear(32, 64), torch.nn.GELU())
with torch.no_grad():
    torch.compile(model)(torch.ones(16, 32))
hits = counters["aot_autograd"]["autograd_cache_hit"]
print(hits, "hits")  # 0 in the first run, 1 in the second

# region checks
assert hits in (0, 1)
# endregion
