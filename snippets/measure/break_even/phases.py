# /// lesson
# needs = ["compiler"]
# varies.output = ['\S+ +\d[\d.,]* ms']
# ///
"""Where the time of a compile goes, by torch's own clocks."""

import torch
from torch import nn

# no public name: a cache folder that starts empty
from torch._inductor.utils import fresh_cache

from compile_lessons import Table, capture, show

layers = [nn.Linear(64, 128), nn.GELU(), nn.LayerNorm(128), nn.Linear(128, 64)]
model = nn.Sequential(*layers).eval()
with torch.inference_mode(), fresh_cache():
    pipeline = capture(model)(torch.randn(32, 64))
phases = sorted(pipeline.phases, key=lambda phase: -phase.seconds)
rows = [[phase.name, f"{phase.seconds * 1e3:,.0f} ms"] for phase in phases[:12]]
show(Table(["phase, including nested phases", "time"], rows))

# region checks
names = [phase.name for phase in phases]
assert any("_compile.compile_inner" in name for name in names)
assert any("compile_fx_inner" in name for name in names)
# endregion
