# /// lesson
# needs = ["triton"]
# ///
"""Three softmaxes without shared data: three kernels, or one that has all three."""

import re

import torch

from compile_lessons import Table, capture, show


def normalize_all(tensors):
    return [torch.softmax(tensor, -1) for tensor in tensors]


tensors = [torch.empty(rows, 512) for rows in (64, 72, 80)]
rows = []
for setting in (False, True):
    options = {"combo_kernels": setting}
    pipeline = capture(
        normalize_all, target="h200", machine_code=False, options=options
    )
    kernels = pipeline(tensors).graphs[0].kernels
    rows.append([setting, ", ".join(kernel.name for kernel in kernels)])
show(Table(["combo_kernels", "kernels"], rows))
for line in kernels[0].source.splitlines():
    if re.search(r"pid\b|xnumel = |tl\.store", line):
        print(line)
# region checks
assert [row[1].count("triton_") for row in rows] == [3, 1]
assert kernels[0].source.count("tl.store(") == 3
# endregion
