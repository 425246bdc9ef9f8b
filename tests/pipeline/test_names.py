"""What a frame is called: by its module's class, also where a decorator's wrapper is the frame."""

import functools

import torch
from torch import nn

from compile_lessons.pipeline import capture


def decorated(forward):
    @functools.wraps(forward)
    def wrapper(self, *args, **kwargs):
        torch._dynamo.graph_break()
        return forward(self, *args, **kwargs)

    return wrapper


class Plain(nn.Module):
    def forward(self, x):
        return x.sin()


class Decorated(nn.Module):
    def __init__(self):
        super().__init__()
        self.inner = Plain()

    @decorated
    def forward(self, x):
        return self.inner(x) + 1


def function(x):
    return x.cos()


def test_names_of_frames():
    names = [[frame.name for frame in capture(fn, until="dynamo")(torch.ones(3)).frames] for fn in (Plain(), function)]
    assert names == [["Plain.forward"], ["function"]]
    first = capture(Decorated(), until="dynamo")(torch.ones(3)).frames[0]
    assert (first.function, first.module, first.name) == ("wrapper", "Decorated", "Decorated")
    assert str(first).startswith("frame 0/0 Decorated (test_names.py:")
