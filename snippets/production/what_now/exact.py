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

exact = copy.deepcopy(model).double()(x.double())
print("eager   ", (model(x) - exact).abs().max())
print("compiled", (torch.compile(model)(x) - exact).abs().max())
# endregion

# region checks
eager, compiled = ((run(x) - exact).abs().max().item() for run in (model, torch.compile(model)))
assert compiled < 2 * eager
# endregion
