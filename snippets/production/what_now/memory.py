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

torch.set_num_threads(1)  # more threads would wait for each other, for tensors as small as these
layers = nn.ModuleList(nn.Sequential(nn.Linear(64, 256), nn.ReLU(), nn.Linear(256, 64, bias=False)) for _ in range(3))


# region programs
def encode(x):
    for layer in layers:
        x = x + checkpoint(layer, x, use_reentrant=False)
    return x.square().mean()


def loss(image, text, encode=encode):
    return encode(image) + encode(text)


# endregion
def step(function, **arguments):
    layers.zero_grad()
    function(image, text, **arguments).backward()


image, text = torch.randn(1024, 64), torch.randn(1024, 64)
eager = peak(lambda: step(loss))
whole, part = torch.compile(loss), torch.compile(encode)
whole = peak(lambda whole=whole: step(whole))
pieces = peak(lambda: step(loss, encode=part))
rows = [["eager mode", eager], ["torch.compile(loss)", whole], ["torch.compile(encode)", pieces]]
show(Table(["step", "peak"], [[name, f"{mib:.1f} MiB"] for name, mib in rows]))
# region checks
assert whole > 1.5 * eager and pieces < 1.3 * eager
# endregion
