"""Call a kernel of your own in a compiled step."""

import torch


@torch.library.custom_op("shop::clip", mutates_args=())
def clip(x: torch.Tensor) -> torch.Tensor:  # stands for your kernel
    return x.clamp(-1, 1)


@torch.compile
def step(x):
    return clip(x * 2)


step(torch.ones(4))
