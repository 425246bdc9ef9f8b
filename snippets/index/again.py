"""Which calls compile again."""

import torch
from torch._dynamo.testing import CompileCounter

from compile_lessons import Table, show


def quick_gelu(x):
    return x * torch.sigmoid(1.702 * x)


counter, rows = CompileCounter(), []  # a backend that runs the graph as it is, and counts
compiled = torch.compile(quick_gelu, backend=counter)
for what, x in {
    "float32[512]": torch.ones(512),
    "float32[512], other numbers": torch.zeros(512),
    "float64[512]": torch.ones(512, dtype=torch.float64),
    "float32[256]": torch.ones(256),
    "float32[100]": torch.ones(100),
}.items():
    before = counter.frame_count
    compiled(x)
    rows.append([what, "compiles" if counter.frame_count > before else "reuses"])

show(Table(["call with", "outcome"], rows))
versions = counter.frame_count
assert " ".join(outcome for _, outcome in rows) == "compiles reuses compiles compiles reuses"
