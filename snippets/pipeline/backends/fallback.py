# /// lesson
# env = {CXX = "no-such-compiler"}
# ///
"""Choose the backend that this machine can run."""

import torch
from torch._inductor.cpp_builder import get_cpp_compiler
from torch._inductor.exc import InvalidCxxCompiler


def quick_gelu(x):
    return x * torch.sigmoid(1.702 * x)


def best_backend():
    try:
        get_cpp_compiler()
        return "inductor"
    except InvalidCxxCompiler:
        return "aot_eager"


x = torch.linspace(-4, 4, 512)
backend = best_backend()
y = torch.compile(quick_gelu, backend=backend)(x)
print(f"{backend}: same result as without torch.compile: {torch.equal(y, quick_gelu(x))}")
assert backend == "aot_eager" and torch.equal(y, quick_gelu(x))
