# /// lesson
# needs = ["compiler"]
# ///
"""GELU after a linear layer, on the CPU: where to set freezing, and what lets the GELU fuse."""

import torch

from compile_lessons import Table, capture, show

layer = torch.nn.Sequential(torch.nn.Linear(512, 512), torch.nn.GELU()).eval()
x, rows = torch.randn(256, 512), []
torch._inductor.config.max_autotune_gemm_backends = "CPP"  # don't time the library's matmul


def count(case, options):
    pipeline = capture(layer, options=options, machine_code=False)(x)
    names = " ".join(kernel.name for kernel in pipeline.kernels)
    rows.append([case, len(pipeline.kernels), f"{sum(k.bytes for k in pipeline.kernels) / 1e6:.1f} MB", names])


with torch.no_grad():
    count("default", {})
    count('options={"freezing": True}', {"freezing": True})
    torch._inductor.config.freezing = True
    count("config.freezing = True", {})
    count("config.freezing = True, max_autotune", {"max_autotune": True})
show(Table(["setting", "kernels", "moved", "names"], rows))
# region checks
assert [row[1] for row in rows] == [2, 2, 2, 1] and rows[0][3] == rows[1][3] != rows[2][3]
# endregion
