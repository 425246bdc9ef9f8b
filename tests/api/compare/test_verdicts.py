"""A difference that was seen is always reported."""

import functools

import numpy
import pytest
import torch
from torch import nn
from torch.nn import functional as F

from compile_lessons import capture
from compile_lessons.api.compare import jobs
from compile_lessons.ground.patching import TORCH

compared = functools.partial(capture, compare=True)


def test_torch_s_wrong_gradient_of_unfold():
    """torch 2.13 to 2.15: AOTAutograd's gradient for overlapping windows of a result is wrong, eager's is right."""
    x = torch.randn(6, requires_grad=True)
    comparison = compared(lambda x: (x * 2).unfold(0, 2, 1))(x).comparison
    assert comparison.status == "different"
    assert [(value.kind, value.path) for value in comparison.values if not value.equal] == [("gradient", "x")]


def changed_on_the_diagonal(x):
    diagonal = x.diagonal()
    before = diagonal + 1
    diagonal.add_(1)
    return before.sum()


def copied_between_two_changes(x):
    x[:, :2] = 7.0
    between = x.clone()
    x[:, 2:] = 9.0
    return between


FALLBACK = {"fallback_by_default": True}


@pytest.mark.parametrize(
    ("fn", "options", "path"),
    [(changed_on_the_diagonal, FALLBACK, "x"), (copied_between_two_changes, None, "output")],
)
def test_torch_s_wrong_order_of_changes(fn, options, path):
    """Eager mode is right. Torch 2.13 writes an input back before its diagonal changes, and changes a copy of it."""
    x, y = torch.ones(3, 4), torch.ones(3, 4)
    outputs = fn(x), torch.compile(fn, options=options)(y)
    is_right = torch.equal(*outputs) and torch.equal(x, y)
    comparison = compared(fn, options=options)(torch.ones(3, 4)).comparison
    assert comparison.status == ("equal" if is_right else "different")
    assert [value.path for value in comparison.values if not value.equal] == ([] if is_right else [path])
    if TORCH == (2, 13):
        assert not is_right


def test_the_diagonal_is_right_without_fallbacks():
    assert compared(changed_on_the_diagonal)(torch.ones(3, 4)).comparison.status == "equal"


def test_attention_without_dropout_is_not_random():
    query = torch.randn(1, 2, 4, 8)
    comparison = compared(F.scaled_dot_product_attention)(query, query, query).comparison
    assert (comparison.status, comparison.reason) == ("equal", "")


def test_nothing_is_known_where_the_second_compile_fails(monkeypatch):
    def fails(settings, use_caches):
        raise RuntimeError("no second compile")

    monkeypatch.setattr(jobs, "session", fails)
    comparison = compared(nn.Dropout(0.5), until="inductor")(torch.ones(100)).comparison
    assert comparison.status == "not compared"
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


def test_a_value_that_one_run_left_as_it_was_is_said_so():
    def fill(x, buffer, other):
        if torch.compiler.is_compiling():
            buffer.add_(1)
        else:
            other.add_(1)
        return x + 1

    inputs = (torch.ones(2), torch.zeros(2), torch.zeros(2))
    reason = capture(fill, until="dynamo", compare=True)(*inputs).comparison.reason
    assert "buffer (changed; eager mode doesn't change it)" in reason
    assert "other (not changed; eager mode changes it)" in reason and "missing" not in reason
