# /// lesson
# needs = ["gpu", "triton"]
# memory = 16384
# env = {TORCH_LOGS = "cudagraphs", TORCH_LOGS_FORMAT = "%(message)s"}
# varies.output = ['data_ptr=0x[0-9A-F]+']
# ///
"""A graph is recorded again if other outputs are alive when it is called."""

import torch
from _tree import decode, draw, encode, refine, tree

from compile_lessons import Table, show


def step(x, keep):
    torch.compiler.cudagraph_mark_step_begin()
    h = encode(x)
    y = decode(h)
    if not keep:
        del h
    return refine(y)


x = torch.randn(1024, device="cuda")
rows = []
recordings = 0
for keep in (False, False, False, True, False, True):
    step(x, keep)
    rows.append(["alive" if keep else "deleted", len(tree()) - recordings])
    recordings = len(tree())
show(Table(["h, when refine is called", "new recordings"], rows))
print("\n".join(draw()))
# region checks
assert [row[1] for row in rows] == [0, 3, 0, 1, 0, 0]
# endregion
