# /// lesson
# env = {CXX = "no-such-compiler"}
# ///
"""If the first call can't compile, run in eager mode."""

import torch


@torch.compile
def quick_gelu(x):
    return x * torch.sigmoid(1.702 * x)


x = torch.linspace(-4, 4, 512)
try:
    quick_gelu(x)  # once, when the program starts
except Exception as error:
    print("torch.compile is off:", str(error).splitlines()[0])
    torch.compiler.set_stance("force_eager")
y = quick_gelu(x)

# region checks
assert torch.equal(y, x * torch.sigmoid(1.702 * x))
# endregion
