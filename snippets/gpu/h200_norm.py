# /// lesson
# needs = ["gpu", "triton"]
# memory = 16384
# ///
"""A residual connection, GELU and a layer norm fuse into one kernel."""

import torch
import torch.nn.functional as F

# private: torch has no public way to get Inductor's code as a string
from torch._inductor.utils import run_and_get_code


def residual_norm(x, y, weight):
    return F.layer_norm(x + F.gelu(y), (1024,), weight)


x = torch.randn(4096, 1024, device="cuda")
y = torch.randn(4096, 1024, device="cuda")
weight = torch.randn(1024, device="cuda")
z, [code] = run_and_get_code(torch.compile(residual_norm), x, y, weight)

start = code.index("def triton_")
end = code.index("''', device_str='cuda')")
print(code[start:end].rstrip())

kernels = code.count("async_compile.triton(")
# region checks
assert kernels == 1
torch.testing.assert_close(z, residual_norm(x, y, weight))
# endregion
