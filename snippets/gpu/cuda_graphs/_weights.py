"""Compiled layers whose weights change, and how long their calls take."""

from statistics import median
from timeit import timeit

import torch

x = torch.randn(4, 256, device="cuda")


def recorded_layers(count):
    """Return linear layers, and their compiled model, which has been recorded."""
    layers = [torch.nn.Linear(256, 256, bias=False) for _ in range(count)]
    model = torch.nn.Sequential(*layers).cuda().requires_grad_(False)
    torch.compiler.reset()
    compiled = torch.compile(model, mode="reduce-overhead")
    for _ in range(3):
        compiled(x)
    return layers, compiled


def milliseconds(compiled):
    torch.cuda.synchronize()
    return 1e3 * timeit(lambda: (compiled(x), torch.cuda.synchronize()), number=1)


def swap_adapters(change):
    """Return the median times of the call after each of five swaps, and of the next."""
    layers, compiled = recorded_layers(8)
    adapters = [torch.randn(8, 256, 256, device="cuda") / 16 for _ in range(5)]
    first = []
    second = []
    for weights in adapters:
        for layer, weight in zip(layers, weights, strict=True):
            change(layer, weight)
        first.append(milliseconds(compiled))
        second.append(milliseconds(compiled))
    return median(first), median(second)
