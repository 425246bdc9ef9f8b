# /// lesson
# needs = ["triton"]
# ///
"""One change at a time: where Inductor chooses another kind of reduction."""

import re

import torch

from compile_lessons import Table, capture, show

loop = {"triton.persistent_reductions": False}
whole = {"split_reductions": False}
cooperative = {"triton.cooperative_reductions": True}
CASES = [
    ((4096, 1024), -1, {}),
    ((4096, 1025), -1, {}),
    ((4096, 1024), -1, loop),
    ((64, 4096), 0, {}),
    ((65, 4096), 0, {}),
    ((263, 8192), -1, {}),
    ((263, 8193), -1, {}),
    ((264, 8193), -1, {}),
    ((263, 8193), -1, whole),
    ((8, 262144), -1, cooperative),
    ((8, 262143), -1, cooperative),
    ((17, 2**22), -1, cooperative),
]
rows = []
for shape, dimension, options in CASES:
    pipeline = capture(torch.sum, target="h200", machine_code=False, options=options)
    [graph] = pipeline(torch.empty(shape), dimension).graphs
    sources = [kernel.source for kernel in graph.kernels]
    kinds = [re.search(r"heuristics\.(\w+)", source)[1] for source in sources]
    size = " × ".join(map(str, shape))
    setting = ", ".join(f"{name} = {value}" for name, value in options.items())
    rows.append([size, dimension, setting, ", ".join(kinds)])
show(Table(["x", "x.sum(…)", "setting", "kernels"], rows))
# region checks
reductions = [row[3].count("reduction") for row in rows]
assert rows[0][3] == "persistent_reduction"
assert rows[1][3] == "reduction"
assert reductions == [1, 1, 1, 1, 1, 1, 2, 1, 1, 1, 2, 2]
# endregion
