# /// lesson
# needs = ["compiler"]
# ///
"""What three modes change in the kernels for a CPU."""

import re

import torch
from torch._inductor.utils import run_and_get_code

from compile_lessons import Table, show


def layer(x, w, b):
    return torch.relu(x @ w + b)


torch.manual_seed(0)
x, w, b = torch.randn(64, 128), torch.randn(128, 256), torch.randn(256)
rows, kernels = [], []
for mode in ["default", "reduce-overhead", "max-autotune"]:
    torch.compiler.reset()
    y, [code] = run_and_get_code(torch.compile(layer, mode=mode), x, w, b)
    torch.testing.assert_close(y, layer(x, w, b), rtol=1e-4, atol=1e-4)
    kernels.append(re.findall(r"extern \"C\"(.*?)\'\'\'", code, re.DOTALL))
    rows.append([mode, code.count("extern_kernels."), len(kernels[-1]), kernels[-1] == kernels[0]])

show(Table(["mode", "library calls", "C++ kernels", "same kernels as default"], rows))
same = sum(row[3] for row in rows)
assert all(row[1:] == [1, 1, True] for row in rows)
