# /// lesson
# env = {TORCH_LOGS = "-dynamo"}
# ///
"""A call counter as an int, and as a buffer."""

import torch
from torch._dynamo.eval_frame import _debug_get_cache_entry_list


class Decay(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.step = 0

    def forward(self, x):
        self.step += 1
        return x / self.step


class TensorDecay(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer("step", torch.zeros((), dtype=torch.int64))

    def forward(self, x):
        self.step += 1
        return x / self.step


versions = {}
for cls in (Decay, TensorDecay):
    compiled = torch.compile(cls(), backend="eager")
    results = [compiled(torch.ones(1)).item() for _ in range(100)]
    assert abs(results[99] - 0.01) < 1e-6
    versions[cls] = len(_debug_get_cache_entry_list(cls.forward.__code__))
    print(f"{cls.__name__:12} versions after 100 calls: {versions[cls]}")

as_int, as_buffer = versions.values()
assert (as_int, as_buffer) == (8, 1)
