# /// lesson
# needs = ["compiler"]
# ///
"""Two convolutions on the CPU, with four layouts of input and weights."""

import re

import torch
from torch import nn

from compile_lessons import Table, capture, show


# region cases
def network():
    first = nn.Conv2d(16, 32, 3)
    second = nn.Conv2d(32, 32, 3)
    return nn.Sequential(first, nn.BatchNorm2d(32), nn.ReLU(), second).eval()


last = torch.channels_last
contiguous = torch.randn(4, 16, 32, 32)
image = contiguous.to(memory_format=last)
converted = network().to(memory_format=last)
as_it_is = {"layout_optimization": False}
cases = {
    "contiguous": (network(), contiguous, {}),
    "input in channels_last": (network(), image, {}),
    "model and input in channels_last": (converted, image, {}),
    "contiguous, layout_optimization=False": (network(), contiguous, as_it_is),
}
# endregion


def copied_tensors(lowered):
    """Return the shapes of the inputs that a loop only copies, and `the result`."""
    nodes = lowered.post_grad.nodes
    inputs = [node for node in nodes if node.op == "placeholder"]
    shapes = {node.name: str(node.tensors[0].shape) for node in inputs}
    copied = []
    for loop in lowered.ir:
        if set(re.findall(r"ops\.(\w+)", loop.text)) == {"load", "store"}:
            copied.append(shapes.get(loop.reads[0], "the result"))
    return copied


rows = []
megabytes = []
for case, (model, x, options) in cases.items():
    with torch.no_grad():
        [graph] = capture(model, options=options, machine_code=False)(x).graphs
    [lowered] = graph.inductor
    megabytes.append(sum(kernel.bytes for kernel in lowered.kernels) / 1e6)
    copied = " ".join(copied_tensors(lowered))
    rows.append([case, len(lowered.kernels), f"{megabytes[-1]:.1f} MB", copied])
show(Table(["layout", "kernels and calls", "moved", "copied"], rows))
saved = 1 - megabytes[2] / megabytes[0]
# region checks
assert [row[1] for row in rows] == [5, 4, 3, 3]
# endregion
