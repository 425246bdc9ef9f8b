# /// lesson
# needs = ["compiler"]
# ///
"""Inductor's kernel for an in-place operator writes into the input."""

import re

import torch
from torch._inductor.utils import run_and_get_code


def double_in_place(x):
    x.mul_(2)
    return x + 1


x = torch.ones(512)
y, [code] = run_and_get_code(torch.compile(double_in_place), x)
code = re.sub(r"static_cast<int64_t>\((\w+)\)", r"\1", code)  # shorter lines
for line in code.splitlines():
    if re.search(r"loadu\(|\.store\(|^ +cpp_fused", line):
        print(line.strip())

[call] = re.findall(r"^ +cpp_fused\w+\((.*)\)$", code, re.M)
kernels, buffers = code.count("async_compile.cpp_pybinding("), code.count("= empty_strided_cpu(")
print(f"kernels: {kernels}, new buffers: {buffers}")
assert (kernels, buffers) == (1, 1) and call.count("arg0_1") == 2
assert torch.equal(x, torch.full((512,), 2.0)) and torch.equal(y, x + 1)
