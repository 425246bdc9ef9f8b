# /// lesson
# needs = ["compiler"]
# ///
"""One function, compiled once; every stage is kept."""

import torch

from compile_lessons import capture


def quick_gelu(x):
    return x * torch.sigmoid(1.702 * x)


pipeline = capture(quick_gelu)(torch.linspace(-4, 4, 512, requires_grad=True))

# region checks
assert len(pipeline.graphs) == 1
assert len(pipeline.breaks) == 0
# endregion
