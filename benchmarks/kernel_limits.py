"""A step of kernels that are limited by bytes: those that ``diagnose --profile-steps`` counts, and those of hardware.

``compile-lessons diagnose --cold --profile-steps 10 benchmarks/kernel_limits.py`` on a GPU, and then the same kernels
in Nsight Compute: ``ncu --clock-control none --metrics dram__bytes_read.sum,dram__bytes_write.sum -k regex:triton_
--launch-skip 300 --launch-count 40 python benchmarks/kernel_limits.py``.
"""

import torch
import torch.nn.functional as F

weight = torch.randn(50304, 1024, device="cuda", dtype=torch.bfloat16)
hidden = torch.randn(4096, 1024, device="cuda", dtype=torch.bfloat16)
labels = torch.randint(0, 50304, (4096,), device="cuda")
big, other, table = torch.randn(3, 8192, 8192, device="cuda")
index = torch.randint(0, 8192, (8192,), device="cuda")


@torch.compile
def step(hidden, big, other):
    logits = hidden @ weight.t()
    return (
        F.cross_entropy(logits.float(), labels),
        big.sum(0),
        torch.softmax(other * 2, 1),
        table[index] * 2,
        other.var(0),
        other.abs().sum(),
        big.t() + other,
        F.layer_norm(big, (8192,)),
        torch.cumsum(big, 1),
    )


for _ in range(25):
    step(hidden, big, other)
torch.cuda.synchronize()
