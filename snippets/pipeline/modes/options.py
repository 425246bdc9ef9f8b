# /// lesson
# needs = ["compiler"]
# ///
"""An option applies to one compiled function."""

import torch

from compile_lessons import Table, capture, show


def gate(x):
    h = torch.sin(x * 1.1)
    return h + 0.3 * torch.tanh(x * x)


x, eager, rows = torch.linspace(-4, 4, 4096, dtype=torch.bfloat16), [], []
for options in [None, {"emulate_precision_casts": True}, None]:
    [kernel] = capture(gate, options=options)(x).kernels
    torch.compiler.reset()
    same = torch.equal(torch.compile(gate, options=options)(x), gate(x))
    rows.append([str(options), kernel.source.count("at::vec::convert"), same])
show(Table(["options", "conversions in the kernel", "equal to eager mode"], rows))

# region checks
default, emulated, again = rows
assert default[1:] == again[1:] and emulated[1] > default[1]
assert emulated[2] and not default[2]
# endregion
