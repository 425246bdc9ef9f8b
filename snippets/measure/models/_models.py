"""Three models for the sweep over batch sizes, and how each one is run."""

import torch
import torch.nn.functional as F
from torch import nn


class MLP(nn.Module):
    def __init__(self, width=1024):
        super().__init__()
        self.first = nn.Linear(width, 4 * width)
        self.second = nn.Linear(4 * width, 4 * width)
        self.last = nn.Linear(4 * width, width)

    def forward(self, x):
        x = F.gelu(self.first(x))
        x = F.gelu(self.second(x))
        return self.last(x)


class Bottleneck(nn.Module):
    """A block of a ResNet: three convolutions with batch norm."""

    def __init__(self, width=256):
        super().__init__()
        inner = width // 4
        self.conv1 = nn.Conv2d(width, inner, 1, bias=False)
        self.norm1 = nn.BatchNorm2d(inner)
        self.conv2 = nn.Conv2d(inner, inner, 3, padding=1, bias=False)
        self.norm2 = nn.BatchNorm2d(inner)
        self.conv3 = nn.Conv2d(inner, width, 1, bias=False)
        self.norm3 = nn.BatchNorm2d(width)

    def forward(self, x):
        y = F.relu(self.norm1(self.conv1(x)))
        y = F.relu(self.norm2(self.conv2(y)))
        return F.relu(x + self.norm3(self.conv3(y)))


class Transformer(nn.Module):
    """A block of a transformer, with heads of width 64."""

    def __init__(self, width=512):
        super().__init__()
        self.norm1 = nn.LayerNorm(width)
        self.qkv = nn.Linear(width, 3 * width)
        self.project = nn.Linear(width, width)
        self.norm2 = nn.LayerNorm(width)
        self.widen = nn.Linear(width, 4 * width)
        self.narrow = nn.Linear(4 * width, width)

    def attention(self, x):
        qkv = self.qkv(x).unflatten(2, (3, -1, 64))  # batch, token, 3, head, 64
        query, key, value = qkv.permute(2, 0, 3, 1, 4)
        attended = F.scaled_dot_product_attention(query, key, value, is_causal=True)
        return self.project(attended.transpose(1, 2).flatten(2))

    def forward(self, x):
        x = x + self.attention(self.norm1(x))
        return x + self.narrow(F.gelu(self.widen(self.norm2(x))))


#: The model, its width and the shape of one input, for a GPU and, smaller, for a CPU.
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
    make_model, width, shape = models[name]
    torch.manual_seed(0)
    model = make_model(width).to(device, dtype)
    images = len(shape) == 3
    if images:
        model = model.to(memory_format=torch.channels_last)

    def make_batch(size):
        x = torch.randn(size, *shape, device=device, dtype=dtype)
        if images:
            return x.to(memory_format=torch.channels_last)
        return x

    return model, make_batch


def inference(model, x):
    with torch.inference_mode():
        return model(x)


def training(model, x):
    """Run a forward and a backward pass, and drop the gradients."""
    torch.compiler.cudagraph_mark_step_begin()
    y = model(x)
    y.backward(torch.ones_like(y))
    for parameter in model.parameters():
        parameter.grad = None
    return y


PHASES = {"inference": inference, "training": training}
