# /// lesson
# needs = ["gpu", "triton"]
# memory = 32768
# timeout = 240
# ///
"""Short rows stay in registers, long rows are read in a loop, and multi_kernel times both kinds."""

import re

import torch
import torch.nn.functional as F
from torch._inductor.utils import run_and_get_code
from triton.testing import do_bench

from compile_lessons import Table, show

functions = {
    "softmax": lambda x: x.softmax(-1),
    "layer_norm": lambda x: F.layer_norm(x, x.shape[-1:]),
    "norm": lambda x: F.layer_norm(x + F.gelu(x), x.shape[-1:]),
}
source = torch.randn(2**26, device="cuda")
target = torch.empty_like(source)
copy_ms = do_bench(lambda: target.copy_(source), return_mode="median")

rows, kinds, shares = [], {}, {}
for name, function in functions.items():
    for row, multi in ((1024, 0), (4096, 0), (4096, 1)):
        torch.compiler.reset()
        x, compiled = source.view(-1, row), torch.compile(function, options={"triton.multi_kernel": multi})
        _, (code,) = run_and_get_code(compiled, x)
        kinds[name, row, multi] = " ".join(re.findall(r"^def triton_(\w+?)_fused", code, re.M))
        ms = do_bench(lambda x=x, compiled=compiled: compiled(x), return_mode="median")
        shares[name, row, multi] = copy_ms / ms
        rows.append([name, row, multi, kinds[name, row, multi], f"{ms * 1e3:.0f} µs", f"{copy_ms / ms:.0%}"])
show(Table(["function", "row length", "multi_kernel", "kernels", "time", "share of copy"], rows))
softmax_long, softmax_multi = shares["softmax", 4096, 0], shares["softmax", 4096, 1]
norm_long, norm_multi = shares["norm", 4096, 0], shares["norm", 4096, 1]
# region checks
assert softmax_multi > softmax_long and norm_multi > norm_long
assert kinds["softmax", 1024, 0] == "per" and kinds["norm", 4096, 0] == "red"
# endregion
