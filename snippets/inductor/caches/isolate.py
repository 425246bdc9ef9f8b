# /// lesson
# needs = ["compiler"]
# ///
"""A block with its own caches, and a compile without caches."""

import warnings

import torch
from torch._dynamo.utils import counters  # private, as the next one
from torch._inductor.utils import fresh_cache  # private

warnings.simplefilter("ignore")  # profiles are off too, as a warning says


def gelu(x):
    return x * torch.sigmoid(1.702 * x)


answers = []


def compile_again(name):
    torch.compiler.reset()
    counters.clear()
    torch.compile(gelu)(torch.ones(64))
    hits = counters["inductor"]["fxgraph_cache_hit"]
    misses = counters["inductor"]["fxgraph_cache_miss"]
    answers.append((hits, misses))
    print(f"{name:8} {hits} hits, {misses} misses")


# region calls
compile_again("first")
compile_again("second")
with fresh_cache():
    compile_again("fresh")
torch.compiler.config.force_disable_caches = True
compile_again("disabled")
# endregion
# region checks
assert answers == [(0, 1), (1, 0), (0, 1), (0, 0)]
# endregion
