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

eager, exact = copy.deepcopy(model), copy.deepcopy(model).double()  # copies are not compiled
expected = exact(x.double() if x.is_floating_point() else x)
print("eager   ", (eager(x) - expected).abs().max())
print("compiled", (torch.compile(model)(x) - expected).abs().max())
# endregion

# region checks
error, compiled_error = ((run(x) - expected).abs().max().item() for run in (eager, torch.compile(model)))
assert compiled_error < 2 * error
# endregion
