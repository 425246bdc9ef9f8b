# /// lesson
# needs = ["compiler"]
# varies.output = ['\d\.\d+(e-\d+)?']
# ///
"""How far eager mode and compiled code are from a float64 copy."""

from torch import bfloat16, manual_seed, nn, randn

manual_seed(0)
model = nn.Sequential(nn.Linear(64, 256), nn.GELU(), nn.Linear(256, 64)).to(bfloat16)
x = randn(32, 64, dtype=bfloat16)
# region copy
import copy

import torch

eager = copy.deepcopy(model)  # a copy isn't compiled
exact = copy.deepcopy(model).double()
expected = exact(x.double() if x.is_floating_point() else x)
eager_error = (eager(x) - expected).abs().max()
compiled_error = (torch.compile(model)(x) - expected).abs().max()
print("eager   ", eager_error)
print("compiled", compiled_error)
# endregion

# region checks
assert compiled_error < 2 * eager_error
# endregion
