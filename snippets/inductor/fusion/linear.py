# /// lesson
# needs = ["compiler"]
# ///
"""GELU after a linear layer: where to set freezing, and what lets the GELU fuse."""

import torch
from torch._inductor import config

from compile_lessons import Table, capture, show

layer = torch.nn.Sequential(torch.nn.Linear(512, 512), torch.nn.GELU()).eval()
x = torch.randn(256, 512)
config.max_autotune_gemm_backends = "CPP"  # don't time the library's matmul
rows = []


def add_row(setting, options):
    kernels = capture(layer, options=options, machine_code=False)(x).kernels
    moved = sum(kernel.bytes for kernel in kernels) / 1e6
    names = " ".join(kernel.name for kernel in kernels)
    rows.append([setting, len(kernels), f"{moved:.1f} MB", names])


# region settings
with torch.no_grad():
    add_row("default", {})
    add_row('options={"freezing": True}', {"freezing": True})
    config.freezing = True
    add_row("config.freezing = True", {})
    add_row("config.freezing = True, max_autotune", {"max_autotune": True})
# endregion
show(Table(["setting", "kernels", "moved", "names"], rows))
# region checks
assert [row[1] for row in rows] == [2, 2, 2, 1]
default, in_options, frozen, _ = (row[3] for row in rows)
assert default == in_options
assert in_options != frozen
# endregion
