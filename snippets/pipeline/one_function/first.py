# /// lesson
# needs = ["compiler"]
# ///
"""torch.compile of one function: the first call compiles."""

import torch


def quick_gelu(x):
    return x * torch.sigmoid(1.702 * x)


compiled = torch.compile(quick_gelu)
x = torch.linspace(-4, 4, 8)
print(compiled(x))  # compiles, then runs
print(compiled(x))  # runs the compiled code

# region checks
torch.testing.assert_close(compiled(x), quick_gelu(x))
# endregion
