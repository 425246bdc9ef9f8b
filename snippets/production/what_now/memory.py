# /// lesson
# needs = ["compiler"]
# timeout = 300
# varies.output = ['\d+\.\d MiB']
# varies.values = ["eager", "whole", "pieces"]
# ///
"""Peak memory of a training step that runs its checkpointed layers twice."""

import torch
from _peak import peak
from torch import nn
from torch.utils.checkpoint import checkpoint

from compile_lessons import Table, show

torch.set_num_threads(1)  # more threads would wait for each other, for small tensors


def layer():
    return nn.Sequential(nn.Linear(64, 256), nn.ReLU(), nn.Linear(256, 64, bias=False))


layers = nn.ModuleList(layer() for _ in range(3))


# region programs
def encode(x):
    for layer in layers:
        x = x + checkpoint(layer, x, use_reentrant=False)
    return x.square().mean()


def loss(image, text, encode=encode):
    return encode(image) + encode(text)


# endregion
compiled_loss = torch.compile(loss)
compiled_encode = torch.compile(encode)
image = torch.randn(1024, 64)
text = torch.randn(1024, 64)


def eager_step():
    layers.zero_grad()
    loss(image, text).backward()


def whole_step():
    layers.zero_grad()
    compiled_loss(image, text).backward()


def encode_step():
    layers.zero_grad()
    loss(image, text, encode=compiled_encode).backward()


eager = peak(eager_step)
whole = peak(whole_step)
pieces = peak(encode_step)
rows = [
    ["eager mode", f"{eager:.1f} MiB"],
    ["torch.compile(loss)", f"{whole:.1f} MiB"],
    ["torch.compile(encode)", f"{pieces:.1f} MiB"],
]
show(Table(["step", "peak"], rows))

# region checks
assert whole > 1.5 * eager
assert pieces < 1.3 * eager
# endregion
