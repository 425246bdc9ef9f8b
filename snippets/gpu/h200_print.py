# /// lesson
# needs = ["gpu", "triton"]
# memory = 16384
# ///
"""What a print in the middle costs: launches and Python for a small tensor, memory traffic for a large one."""

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
times = []
for elements in (2**20, 2**26):
    x = torch.randn(elements, device="cuda")
    for function in (quiet, noisy):
        compiled = torch.compile(function)
        call_time(compiled, x)  # compiles
        wall, kernels = call_time(compiled, x, calls=500), kernel_time(compiled, x)
        times.append((wall, kernels))
        print(f"{elements:8}  {function.__name__:8}  {wall:6.1f} µs  {kernels:6.1f} µs")
        torch.compiler.reset()

(small_call, small_kernels), (small_noisy_call, small_noisy_kernels) = times[:2]
(large_call, large_kernels), (large_noisy_call, large_noisy_kernels) = times[2:]
# region checks
assert small_noisy_call > 1.3 * small_call and small_noisy_kernels < small_noisy_call / 2
assert 1.6 < large_noisy_kernels / large_kernels < 2.4 and large_kernels > 0.8 * large_call
# endregion
