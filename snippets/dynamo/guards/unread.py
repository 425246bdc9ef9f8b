# /// lesson
# env = {TORCH_LOGS = "recompiles", TORCH_LOGS_FORMAT = "%(message)s"}
# ///
"""Changes that need a new version, and changes that don't."""

import torch

numbers = [7] * 1000


@torch.compile(backend="eager")
def plus_first(x, note):
    return x + numbers[0]


plus_first(torch.ones(4), "first")
print("---- another note ----")
plus_first(torch.ones(4), "second")
print("---- another numbers[500] ----")
numbers[500] = 8
plus_first(torch.ones(4), "second")
print("---- a longer list ----")
numbers.append(9)
plus_first(torch.ones(4), "second")
print("---- gradients off ----")
with torch.no_grad():
    plus_first(torch.ones(4), "second")
