# /// lesson
# needs = ["compiler"]
# ///
"""A block with its own caches, and a compile without caches."""

import warnings

import torch
from torch._dynamo.utils import counters
from torch._inductor.utils import fresh_cache

warnings.simplefilter("ignore")  # profiles are off too, as a warning says


def gelu(x):
    return x * torch.sigmoid(1.702 * x)


def compile_once():
    torch.compiler.reset()
    counters.clear()
    torch.compile(gelu)(torch.ones(64))
    found = counters["inductor"]
    return {name: found[name] for name in ("fxgraph_cache_hit", "fxgraph_cache_miss")}


answers = [compile_once(), compile_once()]
with fresh_cache():
    answers.append(compile_once())
torch.compiler.config.force_disable_caches = True
answers.append(compile_once())
for name, answer in zip(("first", "second", "fresh", "disabled"), answers, strict=True):
    print(f"{name:8}", answer)
# region checks
assert [answer["fxgraph_cache_hit"] for answer in answers] == [0, 1, 0, 0]
assert [answer["fxgraph_cache_miss"] for answer in answers] == [1, 0, 1, 0]
# endregion
