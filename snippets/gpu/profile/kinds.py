# /// lesson
# needs = ["triton"]
# memory = 8192
# ///
"""The second word of a kernel's name: what kind of loop it is."""

import torch

from compile_lessons import Table, capture, show

short = torch.randn(64, 512)
long = torch.randn(64, 65536)
cases = [
    ("one value from one position", lambda x: x.sigmoid() * 2, short),
    ("a row fits into a block", lambda x: x.softmax(-1), short),
    ("a row is read in a loop", lambda x: x.softmax(-1), long),
    ("one sum over everything", lambda x: x.square().sum(), long),
]
rows = []
for case, function, x in cases:
    kernels = capture(function, target="h200", machine_code=False)(x).kernels
    rows += [[case, " x ".join(map(str, x.shape)), kernel.name] for kernel in kernels]
show(Table(["case", "input", "kernel"], rows))
# region checks
kinds = [row[2].split("_")[1] for row in rows]
assert kinds == ["poi", "per", "red", "per", "poi", "red", "per"]
# endregion
