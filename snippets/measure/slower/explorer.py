# /// lesson
# needs = ["compiler"]
# ///
"""The C++ of one function for a fixed size and for all sizes."""

import torch

from compile_lessons import Explorer, capture, show


def mean_of_windows(x):
    x = torch.relu(x)
    return torch.nn.functional.avg_pool2d(x, 3, 1, 1) * x.softmax(-1)


x = torch.randn(2, 8, 48, 40)
captures = {
    "fixed size": capture(mean_of_windows, dynamic=False, machine_code=False)(x),
    "dynamic size": capture(mean_of_windows, dynamic=True, machine_code=False)(x),
}
show(Explorer(captures, panes=["python", "forward", "kernels"]))
# region checks
fixed, dynamic = (captures[name].kernels for name in captures)
assert "ks0" not in fixed[0].source and "ks0" in dynamic[0].source
# endregion
