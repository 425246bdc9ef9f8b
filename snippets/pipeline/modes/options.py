# /// lesson
# needs = ["compiler"]
# ///
"""An option applies to one compiled function."""

import torch

from compile_lessons import Table, show


def gate(x):
    h = torch.sin(x * 1.1)
    return h + 0.3 * torch.tanh(x * x)


x = torch.linspace(-4, 4, 4096, dtype=torch.bfloat16)
rows = []
for options in [None, {"emulate_precision_casts": True}, None]:
    torch.compiler.reset()
    compiled = torch.compile(gate, options=options)
    rows.append([str(options), torch.equal(compiled(x), gate(x))])
show(Table(["options", "equal to eager mode"], rows))

# region checks
assert [row[1] for row in rows] == [False, True, False]
# endregion
