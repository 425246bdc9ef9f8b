"""Softmax times V, one block of keys at a time: no row of scores is ever complete."""

import torch


def blockwise(scores, values, size):
    """Return ``scores.softmax(1) @ values``, and the number of blocks."""
    rows = scores.shape[0]
    biggest = torch.full((rows, 1), -torch.inf)
    total = torch.zeros(rows, 1)
    result = torch.zeros(rows, values.shape[1])
    blocks = list(zip(scores.split(size, 1), values.split(size), strict=True))
    for some_scores, some_values in blocks:
        new = torch.maximum(biggest, some_scores.amax(1, keepdim=True))
        # what was summed with the smaller maximum is rescaled
        shrink = torch.exp(biggest - new)
        weights = torch.exp(some_scores - new)
        total = total * shrink + weights.sum(1, keepdim=True)
        result = result * shrink + weights @ some_values
        biggest = new
    return result / total, len(blocks)


scores = 10 * torch.randn(4, 1000)
values = torch.randn(1000, 8)
result, blocks = blockwise(scores, values, 64)
difference = (result - scores.softmax(1) @ values).abs().max().item()
print(f"{blocks} blocks, differs by at most {difference:.0e}")
# region checks
assert blocks == 16
assert difference < 1e-5
# endregion
