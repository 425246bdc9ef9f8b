# /// lesson
# needs = ["gpu", "triton"]
# memory = 32768
# timeout = 240
# ///
"""Short rows stay in registers, a loop reads long rows, and multi_kernel times both."""

import re

import torch
import torch.nn.functional as F

# private: torch has no public way to get Inductor's code as a string
from torch._inductor.utils import run_and_get_code
from triton.testing import do_bench

from compile_lessons import Table, show

functions = {
    "softmax": lambda x: x.softmax(-1),
    "layer_norm": lambda x: F.layer_norm(x, x.shape[-1:]),
    "norm": lambda x: F.layer_norm(x + F.gelu(x), x.shape[-1:]),
}


# region measure
def measure(function, x, multi_kernel):
    """Return the kinds of kernels that Inductor wrote, and the ms of a call."""
    torch.compiler.reset()
    compiled = torch.compile(function, options={"triton.multi_kernel": multi_kernel})
    _, [code] = run_and_get_code(compiled, x)
    kinds = re.findall(r"^def triton_(\w+?)_fused", code, re.M)
    return " ".join(kinds), do_bench(lambda: compiled(x), return_mode="median")


# endregion
source = torch.randn(2**26, device="cuda")
target = torch.empty_like(source)
copy_ms = do_bench(lambda: target.copy_(source), return_mode="median")

rows = []
for name, function in functions.items():
    for length, multi_kernel in ((1024, 0), (4096, 0), (4096, 1)):
        kinds, ms = measure(function, source.view(-1, length), multi_kernel)
        share = copy_ms / ms
        rows.append([name, length, multi_kernel, kinds, f"{ms * 1e3:.0f} µs", share])
cells = [[*row[:-1], f"{row[-1]:.0%}"] for row in rows]
columns = ["function", "row length", "multi_kernel", "kernels", "time", "share of copy"]
show(Table(columns, cells))

# region checks
shares = {tuple(row[:3]): row[-1] for row in rows}
softmax_long = shares["softmax", 4096, 0]
softmax_multi = shares["softmax", 4096, 1]
norm_long = shares["norm", 4096, 0]
norm_multi = shares["norm", 4096, 1]
assert softmax_multi > softmax_long
assert norm_multi > norm_long
kinds_of = {tuple(row[:3]): row[3] for row in rows}
assert kinds_of["softmax", 1024, 0] == "per"
assert kinds_of["norm", 4096, 0] == "red"
# endregion
