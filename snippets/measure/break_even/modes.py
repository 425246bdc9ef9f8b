# /// lesson
# needs = ["compiler"]
# varies.output = ['\d[\d.,]*', 'never|about']
# varies.values = ["eager_s", "aot_eager_s", "default_s", "first", "eager", "later", "calls"]
# ///
"""The first call of each setting, in a process of its own with empty caches, and the calls that pay for it."""

import torch
from _first import measure_alone

from compile_lessons import Table, show

torch.compile(torch.neg)(torch.ones(1))  # imports the compiler and builds the precompiled header, once for all programs
rows, firsts = [], []
for setting in ("eager", "aot_eager", "default"):
    first, eager, later = measure_alone(setting)
    firsts.append(first)
    calls = f"about {first * 1e6 / (eager - later):,.0f}" if later < eager else "never"
    rows.append([setting, f"{first:.2f} s", f"{eager:,.0f} µs", f"{later:,.0f} µs", calls])
show(Table(["setting", "first call", "eager call", "later call", "calls to break even"], rows))
eager_s, aot_eager_s, default_s = firsts
