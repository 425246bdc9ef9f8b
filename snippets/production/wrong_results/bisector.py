# /// lesson
# needs = ["compiler"]
# env = {TORCH_LOGS = "-dynamo"}
# ///
"""The compiler bisector finds one wrong decomposition among those of a function."""

import torch
import torch.nn.functional as F

# private: the bisector, and the table in which this program plants a bug
from torch._inductor.compiler_bisector import CompilerBisector
from torch._inductor.decomposition import decompositions  # private


def planted_bug(x, approximate="none"):
    return x * torch.sigmoid(1.6 * x)


decompositions[torch.ops.aten.gelu.default] = planted_bug


def block(x, w):
    return F.softmax(F.gelu(F.layer_norm(x @ w, (8,))), -1)


x = torch.randn(4, 8)
w = torch.randn(8, 8)


# region copy
def is_right():
    torch.compiler.reset()
    return torch.allclose(torch.compile(block)(x, w), block(x, w), atol=1e-4)


found = CompilerBisector.do_bisect(is_right)
# endregion
print(f"\nbackend: {found.backend}")
print(f"subsystem: {found.subsystem}")
print(f"operator: {found.debug_info}")

# region checks
assert found.backend == "aot_eager_decomp_partition"
assert found.subsystem == "decomposition"
assert "aten.gelu" in found.debug_info
# endregion
