"""An in-place operator becomes a new value, and a copy_ at the end."""

import torch

from compile_lessons import capture


def double_in_place(x):
    x.mul_(2)
    return x + 1


x = torch.ones(4)
pipeline = capture(double_in_place, until="aot")(x)
forward = pipeline.graphs[0].forward
print(forward.code)
print("x:", x)
# region checks
assert torch.equal(x, torch.full((4,), 2.0))
assert [node.name for node in forward.calls] == ["mul", "add", "copy_"]
# endregion
