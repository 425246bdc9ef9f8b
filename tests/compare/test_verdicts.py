"""A difference that was seen is always reported."""

import functools

import numpy
import torch
from torch import nn
from torch.nn import functional as F

from compile_lessons import capture
from compile_lessons.compare import jobs

compared = functools.partial(capture, compare=True)


def test_torch_s_wrong_gradient_of_unfold():
    """torch 2.13 to 2.15: AOTAutograd's gradient for overlapping windows of a result is wrong, eager's is right."""
    x = torch.randn(6, requires_grad=True)
    comparison = compared(lambda x: (x * 2).unfold(0, 2, 1))(x).comparison
    assert comparison.status == "different"
    assert [(value.kind, value.path) for value in comparison.values if not value.equal] == [("gradient", "x")]


def test_attention_without_dropout_is_not_random():
    query = torch.randn(1, 2, 4, 8)
    comparison = compared(F.scaled_dot_product_attention)(query, query, query).comparison
    assert (comparison.status, comparison.reason) == ("equal", "")


def test_a_difference_stays_where_the_second_compile_fails(monkeypatch):
    def fails(settings, use_caches):
        raise RuntimeError("no second compile")

    monkeypatch.setattr(jobs, "session", fails)
    comparison = compared(nn.Dropout(0.5), until="inductor")(torch.ones(100)).comparison
    assert comparison.status == "different"
    assert "draws random numbers" in comparison.reason and "it raised RuntimeError" in comparison.reason


def test_a_difference_stays_where_other_roundings_raise():
    def checked(x):
        if x.sum() != 4 and not torch.compiler.is_compiling():
            raise ValueError("not these numbers")
        return x * (2 if torch.compiler.is_compiling() else 3)

    comparison = compared(checked, until="dynamo", fullgraph=False)(torch.ones(4)).comparison
    assert comparison.status == "different"


def test_a_different_dtype_is_named():
    positions = numpy.arange(4)
    comparison = capture(lambda x: x * positions, until="aot", compare=True)(torch.ones(4)).comparison
    assert comparison.status == "different"
    assert "torch.float32" in comparison.reason and "instead of tensor torch.float64" in comparison.reason
