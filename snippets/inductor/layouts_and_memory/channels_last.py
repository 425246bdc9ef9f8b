# /// lesson
# needs = ["compiler"]
# ///
"""Two convolutions on the CPU, with four layouts of input and weights."""

import re

import torch
from torch import nn

from compile_lessons import Table, capture, show


def network():
    return nn.Sequential(nn.Conv2d(16, 32, 3), nn.BatchNorm2d(32), nn.ReLU(), nn.Conv2d(32, 32, 3)).eval()


last, image = torch.channels_last, torch.randn(4, 16, 32, 32)
cases = {
    "contiguous": (network(), image, None),
    "input in channels_last": (network(), image.to(memory_format=last), None),
    "model and input in channels_last": (network().to(memory_format=last), image.to(memory_format=last), None),
    "contiguous, layout_optimization=False": (network(), image, {"layout_optimization": False}),
}
rows, bytes_moved = [], []
with torch.no_grad():
    for case, (model, x, options) in cases.items():
        [lowered] = capture(model, options=options, machine_code=False)(x).graphs[0].inductor
        copies = [node for node in lowered.ir if set(re.findall(r"ops\.(\w+)", node.text)) == {"load", "store"}]
        inputs = {node.name: node.tensors[0].shape for node in lowered.post_grad.nodes if node.op == "placeholder"}
        copied = [str(inputs.get(node.reads[0], "the result")) for node in copies]
        moved = sum(kernel.bytes for kernel in lowered.kernels) / 1e6
        bytes_moved.append(moved)
        rows.append([case, len(lowered.kernels), f"{moved:.1f} MB", " ".join(copied)])
show(Table(["layout", "kernels and calls", "moved", "copied"], rows))
saved = 1 - bytes_moved[2] / bytes_moved[0]
# region checks
assert [row[1] for row in rows] == [5, 4, 3, 3]
# endregion
