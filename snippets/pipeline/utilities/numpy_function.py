"""wrap_numpy: a NumPy function that takes tensors, and compiles to one graph."""

import numpy as np
import torch

from compile_lessons import keep_graphs

kept = keep_graphs()


@torch.compile(backend=kept, fullgraph=True)
@torch.compiler.wrap_numpy
def length(v):
    return np.sqrt(np.sum(v * v))


v = torch.tensor([3.0, 4.0], requires_grad=True)
result = length(v)
result.backward()
gradient = [round(value, 4) for value in v.grad.tolist()]
print("length:", result.item())
print("gradient:", gradient)
print("graphs:", len(kept.graphs))

# region checks
assert result.item() == 5.0
assert gradient == [0.6, 0.8]
assert len(kept.graphs) == 1
# endregion
