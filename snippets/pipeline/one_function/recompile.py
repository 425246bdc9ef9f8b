# /// lesson
# env = {TORCH_LOGS = "recompiles", TORCH_LOGS_FORMAT = "%(message)s"}
# ///
"""A batch from NumPy is float64, fails a guard, and triggers a recompile."""

import numpy
import torch


@torch.compile(backend="eager")
def quick_gelu(x):
    return x * torch.sigmoid(1.702 * x)


quick_gelu(torch.ones(512))
print("float32 compiled")
quick_gelu(torch.from_numpy(numpy.ones(512)))
print("float64 compiled")
quick_gelu(torch.ones(512))
quick_gelu(torch.from_numpy(numpy.ones(512)))
print("both again: nothing to compile")
