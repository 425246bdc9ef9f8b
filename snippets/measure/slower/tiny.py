# /// lesson
# needs = ["compiler"]
# data = ["_paired.py"]
# varies.output = ['\d[\d.,]*']
# varies.values = ["small_ratio", "ratio"]
# ///
"""Tiny work: the guards and the kernel call take longer than the operators."""

import torch
from _paired import paired

from compile_lessons import Table, show


def scale_and_shift(x):
    return x * 0.5 + 1


compiled = torch.compile(scale_and_shift, dynamic=False)
rows = []
ratios = []
for elements in (8, 1 << 20):
    x = torch.randn(elements)
    us = paired({"eager": scale_and_shift, "compiled": compiled}, x)
    ratios.append(us["compiled"] / us["eager"])
    times = [f"{us['eager']:,.1f} µs", f"{us['compiled']:,.1f} µs"]
    rows.append([f"{elements:,}", *times, f"{ratios[-1]:.2f}"])
show(Table(["elements", "eager", "compiled", "compiled / eager"], rows))
small_ratio = ratios[0]

# region checks
assert ratios[0] > ratios[1]  # each call's fixed cost weighs on the small input
# endregion
