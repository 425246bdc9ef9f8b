# /// lesson
# needs = ["compiler"]
# ///
"""The C++ kernel of SiLU, for a length that isn't a multiple of a vector."""

import torch

from compile_lessons import capture


def silu(x):
    return x * torch.sigmoid(x)


torch.set_num_threads(2)  # the code depends on the number
[kernel] = capture(silu, machine_code=False)(torch.randn(100_003)).kernels
print(kernel.source[kernel.source.index('extern "C"') :])
# region checks
assert kernel.source.count("::loadu(") == 2
assert "#pragma omp for" in kernel.source
# endregion
