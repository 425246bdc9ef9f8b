"""Three messages, each with the mistake that causes it."""

import functools
import warnings

import torch
from torch.utils.flop_counter import FlopCounterMode

SCALE = torch.ones(3)
x = torch.ones(3)


@torch.library.custom_op("lesson::scaled", mutates_args=())
def scaled(x: torch.Tensor) -> torch.Tensor:
    return x * SCALE


@scaled.register_fake
def _(x):
    return x * SCALE  # a real tensor. Fix: return torch.empty_like(x)


@functools.lru_cache
def positions(length):
    return torch.arange(length)


try:
    with FlopCounterMode(display=False):
        torch.compile(torch.nn.functional.silu, fullgraph=True)(x)
except RuntimeError as no_frames:
    print(*str(no_frames).splitlines()[:2], sep="\n")
try:
    torch.compile(lambda x: scaled(x))(x)  # noqa: PLW0108 (a frame of its own)
except RuntimeError as real_tensor:
    print("\n" + str(real_tensor).splitlines()[1])
with warnings.catch_warnings(record=True) as caught:
    torch.compile(lambda x: x + positions(3), backend="eager")(x)
print("\n" + str(caught[0].message).splitlines()[0])
