# /// lesson
# needs = ["compiler"]
# ///
"""A reduction over rows and one over columns."""

import torch


def row_sums(x):
    return x.sum(dim=1) - x.amax(dim=0)


x = torch.linspace(-1, 1, 96 * 96).reshape(96, 96)
compiled = torch.compile(row_sums)(x)
print("row_sums:", torch.allclose(compiled, row_sums(x), atol=1e-5))
