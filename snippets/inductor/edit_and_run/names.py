# /// lesson
# needs = ["triton"]
# ///
"""The name of one kernel under four settings."""

import re

import torch

from compile_lessons import Table, capture, show


def gate(x, weight):
    return torch.softmax(torch.relu(x), -1) * weight


x = torch.empty(1024, 1024)
weight = torch.empty(1024)
SETTINGS = [
    {},
    {"triton.descriptive_names": "torch"},
    {"triton.descriptive_names": "inductor_node"},
    {"triton.unique_kernel_names": False},
]
rows = []
for options in SETTINGS:
    capturing = capture(gate, target="h200", machine_code=False, options=options)
    [kernel] = capturing(x, weight).graphs[0].kernels
    [name] = re.findall(r"def (triton_\w*)\(", kernel.source)
    setting = ", ".join(f"{key} = {value}" for key, value in options.items())
    rows.append([setting, name])
show(Table(["setting", "the kernel's name"], rows))
# region checks
assert rows[0][1].startswith("triton_per_fused_")
assert rows[3][1] == "triton_"
# endregion
