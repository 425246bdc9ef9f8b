# /// lesson
# needs = ["compiler"]
# ///
"""A workaround: the same windows without overlapping views."""

import torch


def windows(x):
    doubled = x * 2
    return torch.stack([doubled[:-1], doubled[1:]], 1)


x = torch.arange(4.0, requires_grad=True)
weights = torch.arange(6.0).reshape(3, 2)
compiled = torch.compile(windows)
[gradient] = torch.autograd.grad((compiled(x) * weights).sum(), x)
print(gradient.tolist())

# region checks
assert torch.equal(windows(x), (x * 2).unfold(0, 2, 1))
assert gradient.tolist() == [0.0, 6.0, 14.0, 10.0]
# endregion
