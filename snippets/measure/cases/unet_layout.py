"""channels_last: the same shape with different strides, which convolutions keep."""

import torch
from torch import nn

model = nn.Sequential(
    nn.Conv2d(4, 8, 3, padding=1),
    nn.GroupNorm(4, 8),
    nn.SiLU(),
    nn.Conv2d(8, 4, 3, padding=1),
)
x = torch.randn(1, 4, 64, 64)

# region copy
model = model.to(memory_format=torch.channels_last)
x = x.to(memory_format=torch.channels_last)
# endregion
with torch.inference_mode():
    y = model[0](x)
print("input ", tuple(x.shape), "strides", x.stride())
print("output", tuple(y.shape), "strides", y.stride())

# region checks
assert x.stride() == (16384, 1, 256, 4) and y.is_contiguous(
    memory_format=torch.channels_last
)
# endregion
