# /// lesson
# needs = ["peers"]
# ///
"""The branch in TorchScript: scripted with both branches, traced with one."""

import torch
from five import branch

x = torch.full((4,), 3.0)
print(torch.jit.script(branch).graph)
traced = torch.jit.trace(branch, (x,))
print(traced.graph)
print("eager: ", branch(-x).tolist())
print("traced:", traced(-x).tolist())
# region checks
assert branch(-x).tolist() == [-4.0] * 4 and traced(-x).tolist() == [-6.0] * 4
# endregion
