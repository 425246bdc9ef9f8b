# /// lesson
# needs = ["gpu", "triton"]
# memory = 32768
# timeout = 240
# ///
"""Short rows stay in registers; long rows are read in a loop, and a second time."""

import re

import torch
import torch.nn.functional as F
from torch._inductor.utils import run_and_get_code
from triton.testing import do_bench

functions = {"softmax": lambda x: x.softmax(-1), "norm": lambda x: F.layer_norm(x + F.gelu(x), x.shape[-1:])}
source = torch.randn(2**26, device="cuda")
target = torch.empty_like(source)
copy_ms = do_bench(lambda: target.copy_(source), return_mode="median")

kinds, loads, shares = [], [], []
print("function  row length  kernel  loads of x    time  share of copy")
for name, function in functions.items():
    for row in (1024, 4096):
        torch.compiler.reset()
        x, compiled = source.view(-1, row), torch.compile(function)
        _, (code,) = run_and_get_code(compiled, x)
        kinds.append(re.search(r"def triton_(\w+?)_fused", code)[1])
        loads.append(code.count("tl.load(in_ptr0"))
        ms = do_bench(lambda x=x, compiled=compiled: compiled(x), return_mode="median")
        shares.append(copy_ms / ms)
        print(f"{name:8}  {row:10}  {kinds[-1]:>6}  {loads[-1]:10}  {ms * 1e3:3.0f} µs  {shares[-1]:13.0%}")
softmax_short, softmax_long, norm_short, norm_long = shares
# region checks
assert kinds == ["per", "red", "per", "red"] and loads == [1, 2, 1, 2]
assert softmax_short > softmax_long
# endregion
