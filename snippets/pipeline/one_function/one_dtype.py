"""The fix: one dtype from the start, one compile."""

# region copy
import numpy
import torch

# NumPy's default is float64
batch = torch.as_tensor(numpy.ones(512), dtype=torch.float32)
# endregion

from compile_lessons import keep_graphs

kept = keep_graphs()


@torch.compile(backend=kept)
def quick_gelu(x):
    return x * torch.sigmoid(1.702 * x)


quick_gelu(torch.ones(512))
quick_gelu(batch)
print("compiled versions:", len(kept.graphs))

# region checks
assert len(kept.graphs) == 1
# endregion
