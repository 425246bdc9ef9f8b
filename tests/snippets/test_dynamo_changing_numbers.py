"""What docs/dynamo/changing-numbers.md states and its snippets don't assert themselves."""

import math

import pytest
import torch
import torch.nn.functional as F

from compile_lessons import count_recompiles, keep_graphs

layers = [f"layer {i}" for i in range(8)]
x = torch.ones(1, 64)


def count_compiles(function, values):
    torch.compiler.reset()  # otherwise torch remembers, by the name of the argument, which floats became constants
    return 1 + count_recompiles(function)([(x, value) for value in values])


@pytest.mark.parametrize(
    ("function", "compiles"),
    [
        pytest.param(lambda x, n: x * math.sqrt(n), 2, id="math.sqrt(n)"),
        pytest.param(lambda x, n: x.clamp(max=n), 2, id="x.clamp(max=n)"),
        pytest.param(lambda x, n: x.sum() + torch.zeros(n), 2, id="torch.zeros(n)"),
        pytest.param(lambda x, n: x * math.log(n), 6, id="math.log(n)"),
        pytest.param(lambda x, n: (x + 1, layers[n]), 6, id="layers[n]"),
    ],
)
def test_six_values_of_an_int(function, compiles):
    assert count_compiles(function, range(1, 7)) == compiles


def test_six_values_of_the_rate_of_dropout_need_six_versions():
    assert count_compiles(lambda x, p: F.dropout(x, p), [n / 10 for n in range(1, 7)]) == 6


@pytest.mark.nightly
@pytest.mark.parametrize(
    "function",
    [
        pytest.param(lambda x, p: x > p, id="x > p"),
        pytest.param(lambda x, p: x * p**2, id="x * p**2"),
        pytest.param(lambda x, p: x / p + p, id="x / p + p"),
    ],
)
def test_arithmetic_keeps_a_float_a_symbol(function):
    assert count_compiles(function, [0.1, 0.2, 0.3, 0.4]) == 2


@pytest.mark.nightly
@pytest.mark.parametrize(
    "function",
    [
        pytest.param(lambda x, p: torch.where(x > 0, x, p), id="torch.where(x > 0, x, p)"),
        pytest.param(lambda x, p: x.masked_fill(x > 0, p), id="x.masked_fill(x > 0, p)"),
        pytest.param(lambda x, p: x**p, id="x**p"),
        pytest.param(lambda x, p: torch.add(x, x, alpha=p), id="torch.add(x, x, alpha=p)"),
        pytest.param(lambda x, p: x * torch.tensor(p), id="torch.tensor(p)"),
        pytest.param(lambda x, p: x * int(p * 10), id="int(p * 10)"),
        pytest.param(lambda x, p: (x * p).clamp(max=p), id="(x * p).clamp(max=p)"),
    ],
)
def test_an_operator_that_takes_the_float_recompiles_for_each_value(function):
    assert count_compiles(function, [0.1, 0.2, 0.3, 0.4]) == 4


@pytest.mark.nightly
def test_nan_needs_its_own_version():
    kept = keep_graphs()
    compiled = torch.compile(lambda x, c: x * c, backend=kept)
    counts = []
    for number in (0.5, 1.5, float("nan"), float("inf"), 2.5):
        compiled(torch.ones(3), number)
        counts.append(len(kept.graphs))
    assert counts == [1, 2, 3, 3, 3]


def call_twice(function, first, second):
    """Return the cause of the error in the second call; nothing where both calls match eager mode."""
    torch.compiler.reset()
    compiled = torch.compile(function, backend="aot_eager")
    torch.testing.assert_close(compiled(x, first), function(x, first))
    try:
        torch.testing.assert_close(compiled(x, second), function(x, second))
    except torch._dynamo.exc.BackendCompilerFailed as error:
        return str(error).splitlines()[1]
    return ""


@pytest.mark.parametrize(
    ("function", "first", "second"),
    [
        pytest.param(lambda x, t: x * (t % 1.0), 1.25, 2.5, id="a float"),
        pytest.param(lambda x, h: x * ((-h % 8) / 8), 5, 6, id="a padding ratio"),
        pytest.param(lambda x, t: x * (t % 4) / 4, 2.5, 3.25, id="a float that is multiplied first"),
    ],
)
def test_a_remainder_that_becomes_a_factor_raises(function, first, second):
    error = "AttributeError: type object 'TensorReferenceAnalysis' has no attribute 'python_mod'"
    assert call_twice(function, first, second) == error


@pytest.mark.parametrize(
    ("function", "first", "second"),
    [
        pytest.param(lambda x, n: x * (n % 4), 5, 6, id="a remainder that stays an int"),
        pytest.param(lambda x, n: x * ((n % 4) / 4), torch.tensor(5), torch.tensor(6), id="n is a tensor"),
        pytest.param(lambda x, t: x * ((t % 4) / 4), torch.tensor(2.5), torch.tensor(3.25), id="t is a tensor"),
        pytest.param(lambda x, fraction: x * fraction, (5 % 4) / 4, (6 % 4) / 4, id="computed outside"),
    ],
)
def test_a_remainder_that_matches_eager_mode(function, first, second):
    assert call_twice(function, first, second) == ""


@pytest.mark.skipif(torch.__version__ >= "2.14", reason="fixed in 2.14")
def test_a_changing_int_exponent_raises_in_training_and_a_tensor_does_not():
    weight = torch.ones(4, requires_grad=True)
    with_a_tensor, with_an_int = (torch.compile(lambda x, n: x**n, backend="aot_eager") for _ in range(2))
    torch.compiler.reset()
    for n in (2, 3, 4):
        with_a_tensor(weight, torch.tensor(n)).sum().backward()
    torch.compiler.reset()
    with_an_int(weight, 2).sum().backward()
    with pytest.raises(torch._dynamo.exc.BackendCompilerFailed, match="NYI SymInt equality"):
        with_an_int(weight, 3)
