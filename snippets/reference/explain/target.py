# /// lesson
# needs = ["triton"]
# memory = 8192
# ///
"""The kernel for a GPU that is not there."""

import torch
from _command import typed


def quick_gelu(x):
    return x * torch.sigmoid(1.702 * x)


def make_inputs():
    return torch.linspace(-4, 4, 1 << 20)


if __name__ == "__main__":
    status = typed(f"{__file__}:quick_gelu", "--target", "h200", "--only", "kernels")

# region checks
if __name__ == "__main__":
    assert status == 0
# endregion
