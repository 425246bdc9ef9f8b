# /// lesson
# env = {TORCH_LOGS = "recompiles", TORCH_LOGS_FORMAT = "%(message)s"}
# ///
"""A batch from NumPy is float64, fails a guard, and triggers a recompile."""

import numpy
import torch

from compile_lessons import keep_graphs

kept = keep_graphs()


# region calls
@torch.compile(backend=kept)
def quick_gelu(x):
    return x * torch.sigmoid(1.702 * x)


for _ in range(2):
    quick_gelu(torch.ones(512))
    quick_gelu(torch.from_numpy(numpy.ones(512)))
    print("compiled versions:", len(kept.graphs))
# endregion

# region checks
assert len(kept.graphs) == 2
# endregion
