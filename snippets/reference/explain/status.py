# /// lesson
# needs = ["compiler"]
# varies.output = ['largest difference \S+']
# ///
"""The four exit statuses."""

import torch
from _command import typed


def doubled(x):
    return x * 2


def approximated(x):
    if torch.compiler.is_compiling():
        return x * torch.sigmoid(1.702 * x)
    return torch.nn.functional.gelu(x)


def interrupted(x):
    raise KeyboardInterrupt  # what Ctrl-C raises


def make_inputs():
    return torch.linspace(-2, 2, 8)


if __name__ == "__main__":
    fine = typed(f"{__file__}:doubled", "--only", "breaks")
    different = typed(f"{__file__}:approximated", "--only", "kernels")
    wrong = typed(f"{__file__}:double")
    cut_off = typed(f"{__file__}:interrupted", "--only", "breaks")
    print("statuses:", fine, different, wrong, cut_off)

# region checks
if __name__ == "__main__":
    assert (fine, different, wrong, cut_off) == (0, 1, 2, 130)
# endregion
