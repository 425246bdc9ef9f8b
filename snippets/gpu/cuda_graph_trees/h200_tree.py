# /// lesson
# needs = ["gpu", "triton"]
# memory = 16384
# ///
"""Three orders of calls make one tree of recordings, which share their memory."""

import gc

import torch
from _tree import decode, draw, encode, refine, tree

from compile_lessons import Table, show

x = torch.randn(2**26, device="cuda")
orders = {
    "encode, decode": (encode, decode),
    "encode, refine": (encode, refine),
    "decode": (decode,),
    "encode, decode again": (encode, decode),
}
rows = []
for name, functions in orders.items():
    for _ in range(4):
        torch.compiler.cudagraph_mark_step_begin()
        h = x
        for function in functions:
            h = function(h)
    del h
    gc.collect()
    torch.cuda.empty_cache()
    mib = torch.cuda.memory_reserved() / 2**20
    rows.append([name, len(tree()), f"{mib:.0f} MiB"])
show(Table(["order of the calls", "recordings", "memory reserved"], rows))
print("\n".join(draw()))
# region checks
assert [row[1] for row in rows] == [2, 3, 4, 4]
assert [line.strip().split(" ")[0] for line in draw()] == [
    *("encode", "decode", "refine", "decode")
]
# endregion
