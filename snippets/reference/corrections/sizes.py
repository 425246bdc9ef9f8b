"""Sizes: automatic dynamic shapes compile twice, dynamic=True three times."""

import torch
from _count import compiles


def double(x):
    return x * 2


by_default = compiles(double, [(torch.ones(n),) for n in (32, 64, 128, 256)])
always = compiles(double, [(torch.ones(n),) for n in (5, 7, 1, 0, 9)], dynamic=True)
print("default, sizes 32, 64, 128, 256:", by_default)
print("dynamic=True, sizes 5, 7, 1, 0, 9:", always)
# region checks
assert by_default == 2
assert always == 3  # 0 and 1 are special
# endregion
