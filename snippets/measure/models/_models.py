"""Three models for the sweep over batch sizes, and how each one is run."""

import torch
import torch.nn.functional as F
from torch import nn


class MLP(nn.Module):
    def __init__(self, width=1024):
        super().__init__()
        self.first, self.second = (
            nn.Linear(width, 4 * width),
            nn.Linear(4 * width, 4 * width),
        )
        self.last = nn.Linear(4 * width, width)

    def forward(self, x):
        return self.last(F.gelu(self.second(F.gelu(self.first(x)))))


class Bottleneck(nn.Module):
    """A block of a ResNet: three convolutions with batch norm."""

    def __init__(self, width=256):
        super().__init__()
        inner = width // 4
        shapes = ((width, inner, 1), (inner, inner, 3), (inner, width, 1))
        self.convolutions = nn.ModuleList(
            nn.Conv2d(a, b, k, padding=k // 2, bias=False) for a, b, k in shapes
        )
        self.norms = nn.ModuleList(nn.BatchNorm2d(b) for _, b, _ in shapes)

    def forward(self, x):
        first, second, third = zip(self.convolutions, self.norms, strict=True)
        h = F.relu(first[1](first[0](x)))
        h = F.relu(second[1](second[0](h)))
        return F.relu(x + third[1](third[0](h)))


class Transformer(nn.Module):
    def __init__(self, width=512):
        super().__init__()
        self.norm1, self.norm2 = nn.LayerNorm(width), nn.LayerNorm(width)
        self.qkv, self.project = nn.Linear(width, 3 * width), nn.Linear(width, width)
        self.widen, self.narrow = (
            nn.Linear(width, 4 * width),
            nn.Linear(4 * width, width),
        )

    def forward(self, x):
        q, k, v = (
            self.qkv(self.norm1(x)).unflatten(2, (3, -1, 64)).permute(2, 0, 3, 1, 4)
        )
        h = F.scaled_dot_product_attention(q, k, v, is_causal=True)
        x = x + self.project(h.transpose(1, 2).flatten(2))
        return x + self.narrow(F.gelu(self.widen(self.norm2(x))))


#: The model and the shape of one input, for a GPU and, smaller, for a CPU.
LARGE = {
    "MLP": (MLP, 1024, (1024,)),
    "CNN block": (Bottleneck, 256, (256, 28, 28)),
    "transformer block": (Transformer, 512, (128, 512)),
}
SMALL = {
    "MLP": (MLP, 64, (64,)),
    "CNN block": (Bottleneck, 32, (32, 8, 8)),
    "transformer block": (Transformer, 128, (16, 128)),
}


def build(name, device="cuda", dtype=torch.bfloat16, models=LARGE):
    """Return the model, and a function that makes a batch of a size."""
    make, width, shape = models[name]
    torch.manual_seed(0)
    model = make(width).to(device, dtype)
    if len(shape) == 3:
        model = model.to(memory_format=torch.channels_last)

    def batch(size):
        x = torch.randn(size, *shape, device=device, dtype=dtype)
        return x.to(memory_format=torch.channels_last) if x.dim() == 4 else x

    return model, batch


def inference(function, x):
    with torch.inference_mode():
        return function(x)


def training(function, x):
    """A forward and a backward pass; the gradients are dropped."""
    torch.compiler.cudagraph_mark_step_begin()
    y = function(x)
    y.backward(torch.ones_like(y))
    for parameter in function.parameters():
        parameter.grad = None
    return y


PHASES = {"inference": inference, "training": training}
