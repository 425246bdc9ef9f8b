# /// lesson
# needs = ["compiler"]
# ///
"""The largest entry of each row, and where it is."""

import torch


def argmax(x):
    return x.amax(1) * x.argmax(1)


x = torch.linspace(0, 60, 32 * 200).reshape(32, 200).sin()
compiled = torch.compile(argmax)(x)
print("argmax:", torch.allclose(compiled, argmax(x), atol=1e-5))
