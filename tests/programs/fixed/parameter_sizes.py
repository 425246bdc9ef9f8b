"""The sizes of parameters may vary."""

import torch

torch._dynamo.config.force_parameter_static_shapes = False


@torch.compile(backend="eager")
def quantize(weight):
    return (weight * 127).round()


for size in (3, 4, 5, 6):
    quantize(torch.nn.Parameter(torch.ones(size)))
