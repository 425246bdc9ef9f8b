# /// lesson
# needs = ["gpu", "triton"]
# memory = 16384
# ///
"""Softmax: five ATen operations, one kernel."""

import torch

# private: torch has no public way to get Inductor's code as a string
from torch._inductor.utils import run_and_get_code


def softmax(x):
    return torch.softmax(x, -1)


x = torch.randn(4096, 1024, device="cuda")
y, [code] = run_and_get_code(torch.compile(softmax), x)

start = code.index("def triton_")
end = code.index("''', device_str='cuda')")
print(code[start:end].rstrip())

kernels = code.count("async_compile.triton(")
# region checks
assert kernels == 1
torch.testing.assert_close(y, softmax(x))
# endregion
