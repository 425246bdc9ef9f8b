# /// lesson
# needs = ["compiler"]
# varies.output = ['-?\d[\d.,]*', 'never|about|not measurable']
# varies.values = ["first", "eager", "later", "low", "saved", "high", "calls"]
# ///
"""The first call of each setting, and the calls after which it pays off."""

import torch
from _first import measure_alone

from compile_lessons import Table, show


def calls_to_break_even(first, low, saved, high):
    if high <= 0:
        return "never"
    return f"about {first / saved:,.0f}" if low > 0 else "not measurable"


torch.compile(torch.neg)(torch.ones(1))  # imports the compiler, once for all processes
rows = []
for setting in ("eager", "aot_eager", "default"):
    first, eager, later, (low, saved, high) = measure_alone(setting)
    calls = calls_to_break_even(first, low, saved, high)
    times = [f"{first:.2f} s", f"{eager * 1e6:,.0f} µs", f"{later * 1e6:,.0f} µs"]
    rows.append([setting, *times, f"{low * 1e6:,.0f} to {high * 1e6:,.0f} µs", calls])
columns = ["setting", "first call", "eager call", "later call", "saved, quartiles"]
show(Table([*columns, "calls to break even"], rows))
