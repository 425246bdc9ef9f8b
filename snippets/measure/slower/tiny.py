# /// lesson
# needs = ["compiler"]
# data = ["_paired.py"]
# varies.output = ['\d[\d.,]*']
# varies.values = ["small_ratio", "large_ratio"]
# ///
"""Tiny work: checking the guards and calling the kernel take longer than the operators that they replace."""

import torch
from _paired import paired

from compile_lessons import Table, show


def scale_and_shift(x):
    return x * 0.5 + 1


compiled = torch.compile(scale_and_shift, dynamic=False)
rows, ratios = [], []
for elements in (8, 1 << 20):
    us = paired({"eager": scale_and_shift, "compiled": compiled}, torch.randn(elements))
    ratios.append(us["compiled"] / us["eager"])
    rows.append([f"{elements:,}", f"{us['eager']:,.1f} µs", f"{us['compiled']:,.1f} µs", f"{ratios[-1]:.2f}"])
show(Table(["elements", "eager", "compiled", "compiled / eager"], rows))
small_ratio, large_ratio = ratios

# region checks
assert small_ratio > large_ratio  # each call's fixed cost weighs on the small input
# endregion
