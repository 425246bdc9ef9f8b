# /// lesson
# env = {TORCH_LOGS = "recompiles", TORCH_LOGS_FORMAT = "%(message)s"}
# ///
"""NumPy's doubles fail a guard, and the function is compiled again."""

import numpy
import torch
from torch._dynamo.eval_frame import _debug_get_cache_entry_list


def quick_gelu(x):
    return x * torch.sigmoid(1.702 * x)


compiled = torch.compile(quick_gelu, backend="eager")
for _ in range(2):  # in the second round both versions are there, and nothing is compiled
    compiled(torch.ones(512))
    compiled(torch.from_numpy(numpy.ones(512)))

entries = len(_debug_get_cache_entry_list(quick_gelu))
print("compiled versions:", entries)
assert entries == 2
