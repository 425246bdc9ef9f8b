# /// lesson
# needs = ["compiler"]
# env = {TORCH_DISTRIBUTED_DEBUG = "DETAIL"}
# ///
"""Ranks whose graphs differ: a check turns the hang into an error."""

import textwrap

import torch
import torch.distributed as dist
from _ranks import on_two_ranks


# region step
def step(x):
    if dist.get_rank() == 0:
        metric = x.sum(0, keepdim=True)
        dist.all_reduce(metric)  # only rank 0 takes part
    dist.all_reduce(x)
    return x * 2


# endregion


def message(rank):
    try:
        torch.compile(step)(torch.ones(4))
    except RuntimeError as error:
        return str(error)
    return ""


with torch.no_grad():
    text = on_two_ranks(message)
print(textwrap.fill(text, 88))
# region checks
assert "Detected mismatch between collectives on ranks" in text
assert "Tensor shapes: 1vs 4" in text
# endregion
