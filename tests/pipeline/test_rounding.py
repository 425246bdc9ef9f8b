"""Numbers move as far as they may, operations too, and nothing else changes."""

import numpy
import pytest
import torch
from torch import nn
from torch._dynamo.testing import CompileCounter

from compile_lessons.pipeline import capture
from compile_lessons.pipeline.compare import UNITS
from compile_lessons.pipeline.rounding import Rounding


@pytest.fixture
def rounding():
    return Rounding(0, UNITS, None)


def distance(left, right):
    return ((left - right) / right).abs().max().item()


@pytest.mark.parametrize("dtype", UNITS)
def test_numbers_move_by_up_to_a_unit(rounding, dtype):
    exact = torch.linspace(1, 2, 1000, dtype=torch.float64).to(dtype)
    moved = exact.clone()
    rounding.move([moved])
    assert 0.5 * UNITS[dtype] < distance(moved.double(), exact.double()) < 1.5 * UNITS[dtype]


def test_what_shares_its_numbers_moves_once(rounding):
    exact, moved, array = torch.ones(1000), torch.ones(1000), numpy.ones(1000, dtype=numpy.float32)
    rounding.move([moved, moved[:500], moved.view(10, 100), array, torch.from_numpy(array)])
    assert distance(moved, exact) <= 1.01 * UNITS[torch.float32]
    assert distance(torch.from_numpy(array), exact) <= 1.01 * UNITS[torch.float32]
    assert (array != 1).any()


def test_the_least_precise_dtype_counts():
    moved = torch.ones(1000)
    Rounding(0, UNITS, torch.bfloat16).move([moved])
    assert distance(moved, torch.ones(1000)) > 0.5 * UNITS[torch.bfloat16]


def test_results_of_operations_move_and_views_do_not(rounding):
    x = torch.ones(1000)
    with rounding:
        viewed, doubled = x.view(10, 100), x * 2
    assert torch.equal(viewed, torch.ones(10, 100)) and torch.equal(x, torch.ones(1000))
    assert 0 < distance(doubled, x * 2) <= 1.01 * UNITS[torch.float32]


def test_a_decomposition_moves_at_each_step(rounding):
    """The gradient of a bias before a norm is zero but for the rounding of sums within the norm's backward pass."""
    torch.manual_seed(0)
    model, x = nn.Sequential(nn.Conv2d(3, 4, 3), nn.BatchNorm2d(4)), torch.randn(8, 3, 16, 16)
    weights = torch.randn(8, 4, 14, 14)
    (plain,) = torch.autograd.grad((model(x) * weights).sum(), [model[0].bias])
    with rounding:
        (moved,) = torch.autograd.grad((model(x) * weights).sum(), [model[0].bias])
    assert moved.abs().max() > 10 * plain.abs().max()


def test_random_numbers_are_the_same(rounding):
    x = torch.ones(1000)
    torch.manual_seed(0)
    expected = nn.functional.dropout(x, 0.5)
    torch.manual_seed(0)
    with rounding:
        found = nn.functional.dropout(x, 0.5)
    assert torch.equal(found == 0, expected == 0)


def test_what_compiles_in_eager_mode_too_still_does():
    """``torch.cond`` does; Dynamo would have skipped it within a dispatch mode, and from then on."""
    norm = nn.BatchNorm1d(8)
    before = nn.Sequential(nn.Linear(8, 8), norm)

    def branches(x):
        y = before(x)
        return torch.cond(y.sum() > 0, lambda y: (y - y.mean(),), lambda y: (y.cos(),), (y,))[0].sum()

    for seed in range(2):
        torch.manual_seed(seed)
        comparison = capture(branches)(torch.randn(64, 8)).comparison
        assert comparison.status == "equal", str(comparison)
    assert "with other roundings" in comparison.reason
    assert branches(torch.randn(64, 8)).requires_grad


def test_a_compiled_function_in_it_compiles_as_before():
    def centered(x):
        return x - x.mean()

    inner = torch.compile(centered, backend="eager")
    comparison = capture(lambda x: inner(x).sum())(torch.randn(1000)).comparison
    assert "with other roundings" in comparison.reason
    counter = CompileCounter()
    torch.compile(centered, backend=counter)(torch.randn(1000))
    assert counter.frame_count == 1
