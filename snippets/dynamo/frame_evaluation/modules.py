"""24 modules, one code object, one compiled version."""

import torch
from torch._dynamo.eval_frame import _debug_get_cache_entry_list


class Scale(torch.nn.Module):
    def __init__(self, factor):
        super().__init__()
        self.factor = torch.nn.Parameter(torch.tensor(factor))

    def forward(self, x):
        return x * self.factor


x = torch.ones(2)
blocks = [Scale(float(factor)) for factor in range(24)]
results = [torch.compile(block, backend="eager")(x).tolist() for block in blocks]
print("results:", *results[:3], "...", results[-1])

versions = len(_debug_get_cache_entry_list(Scale.forward.__code__))
print("compiled versions of Scale.forward:", versions)
assert versions == 1 and results == [[factor, factor] for factor in range(24)]
