# /// lesson
# needs = ["triton"]
# memory = 8192
# ///
"""Different work can have the same name: it lists operations, each once."""

import torch

from compile_lessons import Table, capture, show

functions = {
    "x.sin().exp()": lambda x: x.sin().exp(),
    "x.exp().sin()": lambda x: x.exp().sin(),
    "x.exp().exp().exp().sin()": lambda x: x.exp().exp().exp().sin(),
}
rows = []
for text, function in functions.items():
    (kernel,) = capture(function, target="h200")(torch.randn(4096)).gpu_kernels
    exponentials = sum(line.text.count("exp(") for line in kernel.code.lines)
    rows.append([text, kernel.name, exponentials])
show(Table(["function", "kernel", "exp in the kernel"], rows))
# region checks
assert len({row[1] for row in rows}) == 1
assert [row[2] for row in rows] == [1, 1, 3]
# endregion
