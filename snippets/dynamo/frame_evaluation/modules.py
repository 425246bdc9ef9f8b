"""Two modules, one code object, one compiled version."""

import torch
from torch._dynamo.eval_frame import _debug_get_cache_entry_list


class Scale(torch.nn.Module):
    def __init__(self, factor):
        super().__init__()
        self.factor = torch.nn.Parameter(torch.tensor(factor))

    def forward(self, x):
        return x * self.factor


x = torch.ones(2)
first, second = Scale(2.0), Scale(3.0)
for module in (first, second):
    print(torch.compile(module, backend="eager")(x))

versions = len(_debug_get_cache_entry_list(Scale.forward.__code__))
print("compiled versions of Scale.forward:", versions)
assert versions == 1
