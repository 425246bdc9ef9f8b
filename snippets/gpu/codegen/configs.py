# /// lesson
# needs = ["triton"]
# ///
"""The configurations that each kernel comes with: blocks, warps and stages."""

import torch

from compile_lessons import Table, capture, show

x = torch.empty(4096, 4096)
y = torch.empty(4096, 4096)
more = {"max_autotune_pointwise": True}
CASES = [
    ("x * 2", lambda x, y: x * 2, {}),
    ("x + x.t()", lambda x, y: x + x.t(), {}),
    ("x + y.t()", lambda x, y: x + y.t(), {}),
    ("x.sum(1)", lambda x, y: x.sum(1), {}),
    ("softmax(x, -1)", lambda x, y: torch.softmax(x, -1), {}),
    ("the same", lambda x, y: torch.softmax(x, -1), more),
]
rows = []
for name, function, options in CASES:
    pipeline = capture(function, target="h200", options=options)(x, y)
    [kernel] = pipeline.graphs[0].inductor[0].gpu_kernels
    for config in kernel.configs:
        blocks = ", ".join(f"{block} {size}" for block, size in config.blocks.items())
        setting = ", ".join(options)
        rows.append([name, setting, blocks, config.num_warps, config.num_stages])
show(Table(["function", "setting", "blocks", "warps", "stages"], rows))
# region checks
counts = [sum(row[0] == name for row in rows) for name, _, _ in CASES]
assert counts == [2, 1, 6, 1, 2, 6]
# endregion
