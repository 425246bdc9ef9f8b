# /// lesson
# needs = ["triton"]
# memory = 8192
# ///
"""One line of a Triton kernel, and the machine instructions that it becomes."""

import re
from collections import Counter

import torch

from compile_lessons import Table, capture, show


def half_exp(x):
    return 0.5 * torch.exp(x)


pipeline = capture(half_exp, target="h200")(torch.randn(1 << 20))
(kernel,) = pipeline.gpu_kernels
(line,) = (line for line in kernel.code.lines if "exp(" in line.text)
sass = kernel.code.sass.splitlines()
opcodes = Counter(
    re.search(r"\*/\s+(\S+)", sass[number - 1])[1].split(".")[0] for number in line.sass
)

print(f"line {line.triton}: {line.text}")
show(Table(["SASS", "in one thread"], opcodes.most_common()))

exponentials = opcodes["MUFU"]
others = len(line.sass) - exponentials
per_thread = kernel.code.config.blocks["XBLOCK"] // (32 * kernel.code.config.num_warps)
# region checks
assert exponentials == per_thread
assert others > 5 * exponentials
# endregion
