# /// lesson
# needs = ["gpu", "triton"]
# memory = 16384
# ///
"""What a print in the middle costs: launches if a tensor is small, traffic if large."""

import torch
from _clock import call_time, kernel_time


def noisy(x):
    y = x * torch.sigmoid(1.702 * x)
    print(end="")  # writes nothing, and breaks the graph
    return y + 1


def quiet(x):
    y = x * torch.sigmoid(1.702 * x)
    return y + 1


print("elements  function  call        kernels")
calls = {}
kernels = {}
for elements in (2**20, 2**26):
    x = torch.randn(elements, device="cuda")
    for function in (quiet, noisy):
        name = function.__name__
        compiled = torch.compile(function)
        call_time(compiled, x)  # compiles
        calls[name, elements] = call_time(compiled, x, calls=500)
        kernels[name, elements] = kernel_time(compiled, x)
        microseconds = (
            f"{calls[name, elements]:6.1f} µs  {kernels[name, elements]:6.1f} µs"
        )
        print(f"{elements:8}  {name:8}  {microseconds}")
        torch.compiler.reset()

# region checks
assert calls["noisy", 2**20] > 1.3 * calls["quiet", 2**20]
assert kernels["noisy", 2**20] < calls["noisy", 2**20] / 2
assert 1.6 < kernels["noisy", 2**26] / kernels["quiet", 2**26] < 2.4
assert kernels["quiet", 2**26] > 0.8 * calls["quiet", 2**26]
# endregion
