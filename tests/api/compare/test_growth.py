"""The operation in whose result roundings grow most, in forward and backward passes."""

import torch
from torch import nn
from torch.nn import functional as F

from compile_lessons.api.compare import jobs
from compile_lessons.api.compare.growth import grows_in
from compile_lessons.api.compare.start import Start
from compile_lessons.pipeline.session import CaptureSettings


def grows(fn, *args):
    start = Start(fn, [(args, {})], CaptureSettings())
    return grows_in(jobs.operations(start, None), jobs.operations(start, 0))


def centered(x):
    centered = x - x.mean()
    return centered.sum()


def normed(x, weight, bias):
    hidden = F.conv2d(x, weight, bias)
    return F.batch_norm(hidden, None, None, training=True)


def line(fn, number):
    return f"test_growth.py:{fn.__code__.co_firstlineno + number}"


def test_a_sum_that_cancels():
    assert grows(centered, torch.randn(1000)) == f"sum at {line(centered, 2)}"


def test_a_gradient_that_cancels_has_the_line_of_the_forward_pass():
    weight, bias = torch.randn(8, 3, 3, 3, requires_grad=True), torch.randn(8, requires_grad=True)
    assert grows(normed, torch.randn(4, 3, 8, 8), weight, bias) == f"convolution_backward at {line(normed, 1)}"


def test_a_module_of_torch_s_own_has_no_line():
    model = nn.Sequential(nn.Conv2d(3, 8, 3), nn.BatchNorm2d(8))
    assert grows(model, torch.randn(4, 3, 8, 8)) == "convolution_backward"


def test_roundings_that_do_not_grow():
    assert grows(lambda x: (x * 2).sin(), torch.rand(100)) == ""


def test_a_rounding_that_decides_the_way_ends_the_search():
    def branches(x):
        if (x - 1).sum() > 0:
            return x + 1
        return x.sum() - x.sum()

    assert grows(branches, torch.ones(100)).startswith("sub at ")
