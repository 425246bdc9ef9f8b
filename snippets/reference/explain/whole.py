# /// lesson
# needs = ["compiler"]
# varies.output = ['(?m)^phase +calls[\s\S]*?\n\n', 'largest difference \S+']
# ///
"""A function with a graph break, stage by stage."""

import torch
from _command import typed


def scaled(x, scale=2.0):
    y = torch.relu(x)
    print("between two graphs")
    return y * scale


def make_inputs():
    return (torch.linspace(-1, 1, 64),)


if __name__ == "__main__":
    status = typed(f"{__file__}:scaled")
    assert status == 0
