# /// lesson
# needs = ["triton"]
# ///
"""Six kinds of kernels: the decorator, the grid, the ranges and the blocks of each."""

import re

import torch

from compile_lessons import Table, capture, show

x = torch.empty(4096, 4096)
row = torch.empty(2**24)
cooperative = {"triton.cooperative_reductions": True}
CASES = [
    ("x * 2", lambda x: x * 2, x, {}),
    ("x + x.t()", lambda x: x + x.t(), x, {}),
    ("x[:, :1024].sum(1)", lambda x: x[:, :1024].sum(1), x, {}),
    ("x.sum(1)", lambda x: x.sum(1), x, {}),
    ("row.sum()", lambda row: row.sum(), row, {}),
    ("the same, cooperative", lambda row: row.sum(), row, cooperative),
]


def describe(source):
    """Return the decorator, grid, ranges and block sizes in a kernel's source."""
    [decorator] = re.findall(r"@triton_heuristics\.(\w+)\(", source)
    [grid] = re.findall(r"'grid_type': '(\w+)'", source)
    [ranges] = re.findall(r"size_hints=\{(.*?)\}", source)
    blocks = re.findall(r"(\w+) : tl\.constexpr", source)
    return [decorator, grid, ranges.replace("'", ""), ", ".join(blocks)]


rows = []
for name, function, argument, options in CASES:
    pipeline = capture(function, target="h200", machine_code=False, options=options)
    for kernel in pipeline(argument).graphs[0].kernels:
        rows.append([name, *describe(kernel.source)])
show(Table(["function", "decorator", "grid_type", "size_hints", "blocks"], rows))
# region checks
decorators = [row[1] for row in rows]
assert decorators[:4] == ["pointwise", "pointwise", "persistent_reduction", "reduction"]
assert decorators[4:] == ["reduction", "persistent_reduction", "cooperative_reduction"]
# endregion
