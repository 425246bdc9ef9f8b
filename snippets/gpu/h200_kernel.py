# /// lesson
# needs = ["gpu", "triton"]
# memory = 16384
# ///
"""The Triton kernels that Inductor writes for quick_gelu on a GPU."""

import torch

# private: torch has no public way to get Inductor's code as a string
from torch._inductor.utils import run_fw_bw_and_get_code


def quick_gelu(x):
    return x * torch.sigmoid(1.702 * x)


x = torch.linspace(-4, 4, 1 << 20, device="cuda", requires_grad=True)
y, codes = run_fw_bw_and_get_code(lambda: torch.compile(quick_gelu)(x))

for code in codes:
    start = code.index("@triton_heuristics")
    end = code.index("''', device_str='cuda')")
    print(code[start:end].rstrip(), "\n")

kernels = sum(code.count("async_compile.triton(") for code in codes)
# region checks
assert (len(codes), kernels) == (2, 2)
torch.testing.assert_close(y, quick_gelu(x))
# endregion
