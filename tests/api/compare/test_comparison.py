"""Wrong results are seen, right ones are not blamed, and the caller's world changes once."""

import dataclasses
import functools
import json
import secrets

import numpy
import pytest
import torch
from torch import nn
from torch.compiler import is_compiling

from compile_lessons import capture
from compile_lessons.api.compare import judge
from compile_lessons.api.compare.values import value_of
from compile_lessons.facts import Pipeline

compared = functools.partial(capture, compare=True)
#: Whatever compiles a graph, what the two runs leave is found and judged in the same way.
traced = functools.partial(compared, until="dynamo")

ROUNDED = "as near as eager is to itself with other roundings"


class Slotted:
    __slots__ = ("tensor",)

    def __init__(self, tensor):
        self.tensor = tensor


def with_outlier(x, off=0.0):
    return torch.cat([x + off, torch.tensor([1e6])])


def first_step(weights):
    """Step by the sign of a gradient, as Adam does first. Rounding decides the signs of the first twelve."""
    is_first = torch.arange(len(weights)) < 12
    gradient = weights * 1e4 - weights * (1e4 - torch.where(is_first, 1e-5, 1.0).double())
    sign = -gradient.sign() if is_compiling() else gradient.sign()
    return weights + 1e-3 * torch.where(is_first, sign, 1.0)


def closing_over(value):
    def inner():
        return value

    return inner


WRONG = {
    "array": (lambda x: (x * (3 if is_compiling() else 2)).numpy(), "output"),
    "slots": (lambda x: Slotted(x * (3 if is_compiling() else 2)), "output.tensor"),
    "small": (lambda x: x * 0 if is_compiling() else x * 1e-5, "output"),
    "beside an outlier": (lambda x: with_outlier(x, 50.0 if is_compiling() else 0.0), "output"),
    "infinity": (lambda x: x / 0 if is_compiling() else x, "output"),
    "closure": (lambda x: closing_over(x + 1 if is_compiling() else x), "output.value"),
    "tiny": (lambda x: x * 0 if is_compiling() else x * 1e-8, "output"),
    "beside bfloat16": (lambda x: (x.bfloat16().float().sum(), x * (1.07 if is_compiling() else 1.0)), "output[1]"),
    "list for a tuple": (lambda x: [x] if is_compiling() else (x,), "containers of the output"),
    "float": (lambda x: (x, 2.0 if is_compiling() else float("nan")), "output[1]"),
}


@pytest.mark.parametrize("name", WRONG)
def test_a_wrong_result_is_different(name):
    fn, path = WRONG[name]
    comparison = traced(fn)(torch.tensor([1.0, 2.0, 3.0])).comparison
    assert comparison.status == "different", str(comparison)
    assert [value.path for value in comparison.values if not value.equal] == [path]


LARGE = torch.tensor([3.1e38, 1.0])
INSTEAD = {
    "inf instead of 3.1e+38": lambda x: x * 2 if is_compiling() else x * 1,
    "3.1e+38 instead of nan": lambda x: x * 1 if is_compiling() else x * torch.nan,
}


@pytest.mark.parametrize("words", INSTEAD)
def test_an_infinity_in_one_run_is_named(words):
    comparison = traced(INSTEAD[words])(LARGE).comparison
    assert [value.max_difference for value in comparison.values] == [None]
    assert str(comparison).startswith(
        f"differs from eager mode in 1 of 1 value (not within tolerance: output ({words}))\n"
    )


def test_none_matches_nothing():
    comparison = traced(lambda x: (None, [None]))(torch.ones(2)).comparison
    reason = "the call returns None, and changes nothing that it can reach"
    assert (comparison.status, comparison.reason) == ("not compared", reason)

    def changes(x):
        x.add_(1)

    beside = traced(changes)(torch.ones(2)).comparison
    assert (beside.status, [value.kind for value in beside.values]) == ("equal", ["input"])
    other = traced(lambda x: None if is_compiling() else 3)(torch.ones(2)).comparison
    assert other.status == "different"


def test_a_wrong_gradient_beside_a_large_one_is_different():
    large, small = torch.ones(8, requires_grad=True), torch.ones(8, requires_grad=True)

    def wrong(x):
        found = (x * large).sum() * 1e4 + (x * small).sum()
        return found + (small - small.detach()).sum() * 0.5 if is_compiling() else found

    comparison = traced(wrong)(torch.ones(8)).comparison
    assert [value.path for value in comparison.values if not value.equal] == ["small"]


def convolution(dropout=0.0):
    return nn.Sequential(
        nn.Conv2d(3, 8, 3), nn.BatchNorm2d(8), nn.ReLU(), nn.Dropout(dropout), nn.AdaptiveAvgPool2d(1), nn.Flatten()
    )


def test_a_wrong_result_beside_one_that_cancels_is_different():
    model = convolution()
    wrong = traced(lambda x: model(x) * (1.001 if is_compiling() else 1.0))(torch.randn(8, 3, 32, 32)).comparison
    assert wrong.status == "different"
    paths = {value.path for value in wrong.values if not value.equal}
    assert {"output", "model.1.bias"} <= paths and "model.0.bias" not in paths


@pytest.mark.nightly  # each half has a test of its own
def test_a_bias_before_a_norm_beside_random_numbers():
    comparison = compared(convolution(dropout=0.2))(torch.randn(8, 3, 32, 32)).comparison
    assert comparison.status == "equal", str(comparison)
    assert comparison.reason.startswith(f"with eager's random numbers, in a second compile; {ROUNDED}")


CANCELING = {
    "norm": (lambda x: nn.functional.layer_norm(x, (16,)).sum(), (64, 16)),
    "mean": (lambda x: (x - x.mean()).sum(), (1000,)),
}


@pytest.mark.parametrize("name", CANCELING)
def test_what_cancels_is_as_near_as_eager_is_to_itself(name):
    fn, shape = CANCELING[name]
    comparison = compared(fn)(torch.randn(shape, generator=torch.Generator().manual_seed(0))).comparison
    assert comparison.status == "equal", str(comparison)
    line = fn.__code__.co_firstlineno
    assert comparison.reason == f"{ROUNDED}, which grow most in sum at test_comparison.py:{line}"


def test_what_rounding_decides_in_some_runs_is_run_more_often():
    comparison = compared(first_step)(torch.ones(64, dtype=torch.float64)).comparison
    assert comparison.status == "equal", str(comparison)
    assert comparison.reason.startswith(ROUNDED)


def test_what_is_another_at_each_run_is_different():
    drawn = torch.compiler.disable(lambda: secrets.randbelow(1000))
    comparison = traced(lambda x: (x - x.mean()).sum() + drawn())(torch.randn(1000)).comparison
    assert comparison.status == "different"


def test_each_run_has_the_same_iterator_and_it_moves_once():
    numbers = iter(range(1, 100))
    comparison = traced(torch.compiler.disable(lambda x: x * next(numbers)))(torch.ones(2)).comparison
    assert comparison.status == "equal" and next(numbers) == 2


def nothing():
    return None


def complex_softmax(x):
    return torch.complex(x.exp().softmax(-1).sum(-1) / 3, (x.exp() / x.exp().sum(-1, keepdim=True)).sum(-1))


RIGHT = {
    "complex": lambda: (complex_softmax, torch.randn(70, 90)),
    "NaN float": lambda: (lambda x: (x + 1, float("nan")), torch.ones(2)),
    "function, class": lambda: (lambda x: (x + 1, nothing, nn.Linear), torch.ones(2)),
    "new function": lambda: (lambda x: (x + 1, closing_over(x)), torch.ones(2)),
    "method, partial": lambda: (lambda x: (x + 1, functools.partial(nothing, x), Trainer(nothing).step), torch.ones(2)),
    "item": lambda: (lambda x: x.softmax(-1).sum().item(), torch.randn(70, 90)),
    "array in, array out": lambda: (lambda x: numpy.sin(x) + 1, numpy.ones(3)),
    "jagged": lambda: (
        lambda x: x * 2,
        torch.nested.nested_tensor([torch.ones(2), torch.ones(3)], layout=torch.jagged),
    ),
    "infinities": lambda: (lambda x: x.masked_fill(x > 0, -torch.inf), torch.tensor([1.0, -1.0])),
    "bias of a convolution": lambda: (convolution(), torch.randn(8, 3, 32, 32)),
    "bias before a norm": lambda: (nn.Sequential(nn.Linear(4, 4), nn.BatchNorm1d(4)), torch.randn(5, 4)),
    "bfloat16 norm": lambda: (
        nn.Sequential(nn.Linear(4, 4), nn.BatchNorm1d(4)).bfloat16(),
        torch.randn(5, 4).bfloat16(),
    ),
    "float16 attention": lambda: (
        nn.TransformerEncoderLayer(16, 2, 32, dropout=0.0, batch_first=True).half(),
        torch.randn(2, 5, 16).half(),
    ),
    "sparse out": lambda: (lambda x: x.to_sparse(), torch.eye(3)),
    "sparse in": lambda: (lambda x: torch.sparse.mm(x, torch.ones(3, 2)), torch.eye(3).to_sparse()),
    "meta": lambda: (lambda x: x * 2, torch.ones(3, device="meta")),
}


#: Another half-precision type and attention are in the cases beside it and in tests/pipeline.
@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=pytest.mark.nightly if name == "float16 attention" else ()) for name in RIGHT]
)
def test_a_right_result_is_equal(name):
    fn, x = RIGHT[name]()
    pipeline = compared(fn)(x)
    assert pipeline.failures == ()
    assert pipeline.comparison.status == "equal", str(pipeline.comparison)
    assert Pipeline.from_json(pipeline.to_json()) == pipeline


def test_autocast():
    module = nn.Linear(4, 4)
    with torch.autocast("cpu"):
        comparison = compared(module)(torch.randn(2, 4)).comparison
    assert comparison.status == "equal", str(comparison)


def test_infinities_have_a_finite_difference_and_valid_json():
    pipeline = traced(lambda x: x.masked_fill(x > 0, -torch.inf))(torch.tensor([1.0, -1.0]))
    assert {value.max_difference for value in pipeline.comparison.values} == {0.0}
    json.loads(pipeline.to_json(), parse_constant=pytest.fail)


def test_integers_that_differ_have_a_difference():
    eager, compiled = (value_of(torch.tensor(numbers)) for numbers in ([1, 2], [1, 5]))
    compared = judge._compared(("output", "output"), eager, compiled, None)
    assert (compared.equal, compared.max_difference) == (False, 3.0)


def test_what_can_not_be_looked_into_is_not_called_equal():
    def generator(x):
        yield x * 2

    def with_generator(x):
        return x + 1, (x for _ in range(2))

    alone = traced(generator)(torch.ones(2)).comparison
    assert (alone.status, alone.reason) == ("not compared", "output (iterator) can't be inspected")
    beside = traced(with_generator)(torch.ones(2)).comparison
    assert "output[1] (iterator) can't be inspected" in beside.reason
    assert "output[1]" not in {value.path for value in beside.values}


def test_a_set_of_tensors_has_no_order():
    comparison = traced(lambda x: {x + 1, x + 2, x + 3})(torch.ones(2)).comparison
    assert (comparison.status, comparison.reason) == ("not compared", "output (set) can't be inspected")
    assert traced(lambda x: (x + 1, {1, "a"}))(torch.ones(2)).comparison.status == "equal"


def test_an_inference_tensor_changed_in_place():
    with torch.inference_mode():
        cache = torch.zeros(3)

    @torch.inference_mode()
    def step(x):
        cache.add_(x)
        return cache * 2

    pipeline = traced(step)(torch.ones(3))
    assert pipeline.failures == () and pipeline.comparison.status == "equal"
    assert cache.tolist() == [1.0] * 3


@dataclasses.dataclass
class State:
    model: nn.Module
    scale: float


def test_gradients_have_the_names_of_arguments():
    state = State(nn.Linear(4, 4), 2.0)
    comparison = traced(lambda state, x: state.model(x) * state.scale)(state, torch.randn(2, 4)).comparison
    assert comparison.status == "equal"
    paths = {value.path for value in comparison.values if value.kind == "gradient"}
    assert paths == {"state.model.weight", "state.model.bias"}


def test_an_optimizer_s_step_is_made_once():
    def trainer():
        torch.manual_seed(0)
        model = nn.Linear(4, 4)
        optimizer = torch.optim.Adam(model.parameters(), lr=0.1)

        def step(x):
            optimizer.zero_grad()
            loss = model(x).pow(2).mean()
            loss.backward()
            optimizer.step()
            return loss

        return model, optimizer, step

    x = torch.randn(2, 4)
    expected, _, step = trainer()
    step(x)
    model, optimizer, step = trainer()
    pipeline = traced(step)(x)
    assert pipeline.failures == ()
    note = "the outputs are not differentiated: a backward pass in the function used their graph"
    assert (pipeline.comparison.status, pipeline.comparison.reason) == ("equal", note)
    state = {value.path for value in pipeline.comparison.values if value.kind == "state"}
    assert {"model.weight", "model.weight.grad", "optimizer.state[0]['exp_avg']"} <= state
    torch.testing.assert_close(model.weight, expected.weight)
    torch.testing.assert_close(model.weight.grad, expected.weight.grad)
    assert optimizer.state[model.weight]["step"] == 1


def test_a_captured_result_of_earlier_operations():
    weight = torch.ones(3, requires_grad=True)
    scale = (weight * 2).exp()
    comparison = traced(lambda x: (x * scale).sin())(torch.randn(3)).comparison
    assert comparison.status == "equal"
    assert "scale" in {value.path for value in comparison.values if value.kind == "gradient"}
    scale.sum().backward()  # its graph is still there


def test_a_leaf_and_an_earlier_result_of_it():
    weight = torch.ones(3, requires_grad=True)
    scale = weight.exp()
    comparison = traced(lambda x: x * scale + weight)(torch.randn(3)).comparison
    assert comparison.status == "equal"
    assert comparison.reason == "weight led to an earlier result that is used: its gradient is not compared"
    assert "scale" in {value.path for value in comparison.values if value.kind == "gradient"}
    scale.sum().backward()  # its graph is still there


def test_a_leaf_that_no_name_reaches():
    hidden = iter([torch.ones(3, requires_grad=True)] * 2)
    comparison = traced(lambda x: x * next(hidden))(torch.ones(3)).comparison
    assert comparison.status == "equal"
    assert comparison.reason == "no name reaches a tensor of shape (3,): its gradient is not compared"


def test_a_result_of_earlier_operations_changed_in_place():
    x = torch.ones(3, requires_grad=True)
    pipeline = traced(lambda y: y.mul_(2) + 1)(x * 2)
    assert pipeline.failures == () and pipeline.comparison.status == "equal"


class Recurrent(nn.Module):
    """Puts another tensor in place of its buffer, and keeps Python state."""

    def __init__(self):
        super().__init__()
        self.linear = nn.Linear(4, 4)
        self.register_buffer("hidden", torch.zeros(4))
        self.seen = []
        self.calls = 0

    def forward(self, x):
        self.hidden = (self.linear(x) + self.hidden).detach().mean(0)
        self.calls += 1
        self.seen.append(self.calls)
        return self.hidden * 2


def test_attributes_are_as_after_one_call():
    module, x = Recurrent(), torch.randn(2, 4)
    comparison = traced(module)(x).comparison
    assert comparison.status == "equal"
    assert {value.path for value in comparison.values if value.kind == "state"} == {"hidden", "calls", "seen[0]"}
    assert (module.calls, module.seen) == (1, [1])
    torch.testing.assert_close(module.hidden, module.linear(x).mean(0))


class Trainer:
    def __init__(self, norm):
        self.norm = norm

    def step(self, x):
        return self.norm(x)


def test_gradients_left_by_the_function_are_of_one_call():
    linear, x = nn.Linear(4, 4), torch.ones(2, 4, requires_grad=True)

    def backward_inside(x):
        loss = linear(x).sum()
        loss.backward()
        return loss.detach()

    comparison = traced(backward_inside)(x).comparison
    assert comparison.status == "equal"
    assert {"linear.weight.grad", "x.grad"} <= {value.path for value in comparison.values}
    assert linear.weight.grad.tolist() == [[2.0] * 4] * 4
    torch.testing.assert_close(x.grad, linear.weight.detach().sum(0).expand(2, 4))


@pytest.mark.parametrize("size", [16, 4096])
def test_the_gradient_of_a_softmax_is_equal_and_does_not_cancel(size):
    x = torch.randn(8, size, requires_grad=True)
    comparison = compared(lambda x: torch.softmax(x, -1))(x).comparison
    assert comparison.status == "equal"
    grad = next(value for value in comparison.values if value.kind == "gradient")
    assert grad.max_difference < grad.tolerance < 1e-5
