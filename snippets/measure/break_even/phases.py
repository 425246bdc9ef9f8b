# /// lesson
# needs = ["compiler"]
# varies.output = ['\S+ +\d[\d.,]* ms']
# varies.values = ["names"]
# ///
"""Where the time of a compile goes, by torch's own clocks."""

import torch
from torch import nn
from torch._inductor.utils import fresh_cache

from compile_lessons import Table, capture, show

model = nn.Sequential(nn.Linear(64, 128), nn.GELU(), nn.LayerNorm(128), nn.Linear(128, 64)).eval()
with torch.inference_mode(), fresh_cache():  # with a C++ kernel to compile, in each run
    pipeline = capture(model)(torch.randn(32, 64))
phases = sorted(pipeline.phases, key=lambda phase: -phase.seconds)
rows = [[phase.name, f"{phase.seconds * 1e3:,.0f} ms"] for phase in phases[:12]]
show(Table(["phase, including nested phases", "time"], rows))
names = " ".join(phase.name for phase in phases)

# region checks
assert "_compile.compile_inner" in names and "compile_fx_inner" in names
# endregion
