# /// lesson
# needs = ["gpu", "triton"]
# memory = 16384
# ///
"""Softmax: five ATen operations, one kernel."""

import torch
from torch._inductor.utils import run_and_get_code

x = torch.randn(4096, 1024, device="cuda")
y, (code,) = run_and_get_code(torch.compile(lambda x: torch.softmax(x, -1)), x)

start, end = code.index("def triton_"), code.index("''', device_str='cuda')")
print(code[start:end].rstrip())

kernels = code.count("async_compile.triton(")
# region checks
assert kernels == 1
torch.testing.assert_close(y, torch.softmax(x, -1))
# endregion
