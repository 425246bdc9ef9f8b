"""Each remedy of *Wrong results without an error*, applied as printed, trains as eager mode does.

A test is marked with the beginning of its row's symptom; a row without one says in ``ELSEWHERE`` where it is tried.
"""

import contextlib
import copy
import enum
import functools
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
import torch
import torch._functorch.config
from torch import nn
from torch.nn import functional as F
from torch.utils.checkpoint import checkpoint

from compile_lessons.findings.catalogue import catalogue
from compile_lessons.runs.machine import cxx_compiler
from training import assert_trains_like_eager

Model = Callable[..., Any]
ROWS = [row.symptom for row in catalogue().tables["silent"].rows]
#: Rows by the beginning of their symptom, and the test that has them, or why there is none.
ELSEWHERE = {
    "changes a buffer in place, such as a counter": "tests/snippets/test_production_wrong_results.py",
    "changes a float, such as an attribute": "the same remedy as for the counter",
    "runs on a CPU, with a cache folder": "needs two CPUs: snippets/production/warm_starts/cpu_changed.py",
    "calls `backward()` inside the compiled function under DDP": "the setting is off by default",
    "changes a buffer with one element, and runs as": "a package of AOTInductor can't be trained",
    "exports a model with an example batch of 1": "an exported model isn't trained: tests/programs/fixed.toml",
    "has a custom operator that got an argument": "snippets/inductor/caches/schema.py",
    "has a hook that asks `torch.compiler.is_compiling()`": "snippets/pipeline/module/hook_is_compiling.py",
    "loads the wrapper's `state_dict` with `strict=False`": "snippets/pipeline/calling/strict.py",
    "passes a tensor subclass": "snippets/aot/tensor_subclasses/metadata.py",
    "adds up gradients of several batches": "needs a GPU",
    "trains through a `torch.while_loop`": "tests/snippets/test_dynamo_control_flow.py",
    "trains with `torch.compile(ddp.module)`": "needs two processes: snippets/production/distributed",
}
COVERED: set[str] = set(ELSEWHERE)
needs_a_compiler = pytest.mark.skipif(cxx_compiler() is None, reason="needs a C++ compiler")
#: The second and third batches have another size, so the compiled code has a dynamic one.
BATCHES = [(torch.linspace(-2, 3, 4 * size).view(size, 4),) for size in (2, 3, 5)]
AOT = functools.partial(torch.compile, backend="aot_eager")


def remedy_of(symptom: str) -> Callable[[Any], Any]:
    COVERED.add(symptom)
    return lambda test: test


class Net(nn.Module):
    """A layer, a weight and a buffer, for ``use(net, …)``, which is the forward pass."""

    def __init__(self, use: Model) -> None:
        super().__init__()
        self.use = use
        self.linear = nn.Linear(4, 4)
        self.weight = nn.Parameter(torch.ones(4, 4))
        self.register_buffer("state", torch.arange(16.0).view(4, 4) / 8)

    def forward(self, *inputs: Any) -> Any:
        return self.use(self, *inputs)


def trains(use: Model, batches: Any = BATCHES, compiled: Any = AOT, **options: Any) -> None:
    assert_trains_like_eager(lambda: Net(use), batches, compiled, **options)


def test_each_row_has_a_test_or_says_why_not() -> None:
    for symptom in ROWS:
        assert sum(symptom.startswith(beginning) for beginning in COVERED) == 1, symptom
    for beginning in COVERED:
        assert any(symptom.startswith(beginning) for symptom in ROWS), beginning


@remedy_of("sets `activation_memory_budget`")
def test_a_checkpoint_draws_the_same_dropout_again() -> None:
    def use(net: Net, x: torch.Tensor) -> torch.Tensor:
        return checkpoint(lambda x: F.dropout(net.linear(x)), x, use_reentrant=False)

    trains(use)


@remedy_of("copies a model")
@pytest.mark.parametrize("form", ["model.compile()", "torch.compile(model)"])
def test_a_copy_of_a_model_compiled_in_another_form_has_its_own_weights(form: str) -> None:
    original = Net(lambda net, x: net.linear(x))
    expected = _steps(copy.deepcopy(original))
    if form == "model.compile()":
        original.compile(backend="aot_eager")
    else:
        original = AOT(original)
    original(BATCHES[0][0])
    twin = copy.deepcopy(original)
    _steps(original)
    assert _steps(twin) == expected


def _steps(model: nn.Module) -> list[float]:
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    losses = []
    for (x,) in BATCHES:
        optimizer.zero_grad()
        loss = model(x).square().mean()
        loss.backward()
        optimizer.step()
        losses.append(round(loss.item(), 4))
    return losses


@remedy_of("looks up parameters by name")
def test_a_model_compiled_in_place_keeps_its_names() -> None:
    def compiled(model: nn.Module) -> Model:
        names = list(dict(model.named_parameters()))
        model.compile(backend="aot_eager")
        assert list(dict(model.named_parameters())) == names
        return model

    trains(lambda net, x: net.linear(x), compiled=compiled)


@remedy_of("enters autocast around")
def test_autocast_inside_the_function_turns_off_for_a_part() -> None:
    def use(net: Net, x: torch.Tensor) -> torch.Tensor:
        with torch.autocast("cpu", torch.bfloat16):
            hidden = net.linear(x)
            with torch.autocast("cpu", enabled=False):
                return (hidden.float() @ net.weight).exp()

    trains(use, rtol=0.02, atol=0.02)


@remedy_of("calls `backward` twice")
@needs_a_compiler
def test_with_a_new_cache_two_backward_passes_are_equal() -> None:
    settings = torch._functorch.config.patch(donated_buffer=False)
    weight = torch.ones(3, requires_grad=True)
    with settings, torch.compiler.config.patch(force_disable_caches=True):
        loss = torch.compile(lambda w: (w.sin().exp() * w).square().sum())(weight)
        first, second = (torch.autograd.grad(loss, weight, retain_graph=True)[0].clone() for _ in range(2))
    assert torch.equal(first, second)


@remedy_of("calls Python's `random.uniform`")
@remedy_of("passes a changing float that is used in two ways")
@needs_a_compiler
def test_a_number_is_passed_as_a_tensor() -> None:
    def use(net: Net, x: torch.Tensor, number: torch.Tensor) -> torch.Tensor:
        return (net.linear(x) * number).clamp(max=number)

    batches = [(*batch, torch.tensor(value)) for batch, value in zip(BATCHES, (0.5, 0.7, 0.9), strict=True)]
    trains(use, batches, torch.compile)


@remedy_of("draws noise several times")
@needs_a_compiler
@pytest.mark.parametrize("draw", [torch.randn_like, torch.rand_like])
def test_two_draws_of_noise_differ_in_each_step(draw: Model) -> None:
    net = Net(lambda net, x: (net.linear(x) + draw(x), net.linear(x) + draw(x)))
    compiled = torch.compile(net)
    for (x,) in BATCHES[:2]:
        one, other = compiled(x)
        (one * other).sum().backward()
        assert not torch.equal(one, other)


@remedy_of("formats a changing number")
def test_a_string_is_built_outside() -> None:
    factors = {"step 0": 0.5, "step 1": 2.0, "step 2": 3.0}

    def use(net: Net, x: torch.Tensor, text: str) -> dict[str, torch.Tensor]:
        return {text: net.linear(x) * factors[text]}

    trains(use, [(*batch, f"step {number}") for number, batch in enumerate(BATCHES)])


Mode = enum.Enum("Mode", ["SUM", "MAX"])
REDUCTIONS_BY_NAME = {"SUM": torch.sum, "MAX": torch.amax}


@remedy_of("looks something up by an Enum member")
@pytest.mark.parametrize("path", ["argument", "attribute"])
def test_a_function_is_looked_up_by_the_name_of_an_enum_member(path: str) -> None:
    def use(net: Net, x: torch.Tensor, number: int) -> torch.Tensor:
        return REDUCTIONS_BY_NAME[net.mode.name](net.linear(x), 1)

    def by_argument(net: Net, x: torch.Tensor, mode: Mode) -> torch.Tensor:
        return REDUCTIONS_BY_NAME[mode.name](net.linear(x), 1)

    def toggle(net: Net) -> None:
        net.mode = Mode.MAX if getattr(net, "mode", None) is Mode.SUM else Mode.SUM

    modes = (Mode.SUM, Mode.MAX, Mode.SUM)
    if path == "argument":
        trains(by_argument, [(*batch, mode) for batch, mode in zip(BATCHES, modes, strict=True)])
    else:
        trains(use, [(*batch, 0) for batch in BATCHES], before=toggle)


START = torch.ones(4)


@remedy_of("passes a tensor, a module or a list")
def test_a_global_is_passed_as_an_argument_too() -> None:
    def use(net: Net, now: torch.Tensor, first: torch.Tensor) -> torch.Tensor:
        return net.linear(now - first)

    trains(use, [(START, START), (torch.zeros(4), START), (torch.full((4,), 3.0), START)])


@remedy_of("applies a `torch.autograd.Function`")
@pytest.mark.parametrize("inner", [True, False])
def test_a_straight_through_estimator_without_the_class(inner: bool) -> None:
    def rounded(w: torch.Tensor) -> torch.Tensor:
        return w + (w.round() - w).detach()

    def use(net: Net, x: torch.Tensor) -> torch.Tensor:
        hidden = net.linear(x)
        if inner:
            return torch.func.grad(lambda w: (rounded(w) ** 3).sum())(hidden)
        return rounded(hidden)

    trains(use)


@remedy_of("combines tensors with NumPy's")
def test_arrays_and_numbers_are_converted_outside() -> None:
    positions, scale = torch.from_numpy(np.arange(4)), float(np.float64(0.5))
    trains(lambda net, x: (net.linear(x) + positions) * scale)


@remedy_of("relies on the `ValueError` of a distribution")
def test_a_distribution_outside_of_compiled_code_checks_its_parameters_again() -> None:
    class Policy(Net):
        """The compiled part ends before the distribution."""

    net = AOT(Policy(lambda net, x: net.linear(x)))
    invalid = torch.tensor([-1.0])
    torch.distributions.Normal(0.0, invalid)
    with pytest.raises(ValueError, match="scale"):
        torch.distributions.Normal(0.0, invalid, validate_args=True)
    for (x,) in BATCHES:
        mean = net(x)
        torch.distributions.Normal(mean, mean.exp(), validate_args=True).log_prob(x).sum().backward()


def make_operator(name: str, factor: float) -> Any:
    @torch.library.custom_op(f"remedies::{name}", mutates_args=())
    def half(x: torch.Tensor) -> torch.Tensor:
        return x.to(torch.float64) / 2

    half.register_fake(lambda x: torch.empty_like(x, dtype=torch.float64 if name.endswith("v2") else x.dtype))
    half.register_autograd(lambda ctx, gradient: (gradient * factor).float())
    return half


@remedy_of("has a custom operator whose fake function")
@remedy_of("has a custom operator whose gradient has changed")
@needs_a_compiler
def test_a_corrected_operator_is_renamed() -> None:
    """The one of the first version is wrong in both ways; it is in the cache when the second is compiled."""
    v1, v2 = make_operator("half", 3.0), make_operator("half_v2", 0.5)
    torch.compiler.reset()
    with contextlib.suppress(AssertionError, RuntimeError):  # the wrong dtype may be noticed
        torch.compile(Net(lambda net, x: v1(net.linear(x)) * 2))(BATCHES[0][0])
    trains(lambda net, x: v2(net.linear(x)) * 2, compiled=torch.compile)


@remedy_of("changes the result of a dropout in place")
@pytest.mark.parametrize("training", [False, True])
def test_a_new_tensor_after_dropout(training: bool) -> None:
    def use(net: Net, x: torch.Tensor) -> torch.Tensor:
        hidden = net.linear(x)
        return F.dropout(hidden, 0.5, training) + 1 + hidden

    trains(use)


@remedy_of("differentiates a compiled function in forward mode")
def test_a_compiled_jvp_has_its_tangent() -> None:
    def use(net: Net, x: torch.Tensor) -> Any:
        return torch.func.jvp(lambda x: net.linear(x).sin(), (x,), (torch.ones_like(x),))

    trains(use)
    with torch.no_grad():
        torch.testing.assert_close(AOT(use)(net := Net(use), BATCHES[0][0]), use(net, BATCHES[0][0]))


PLACES = torch.tensor([0, 1, 0, 1])


def by_index(x: torch.Tensor) -> torch.Tensor:
    return x.max(1).values


def of_a_whole_tensor(x: torch.Tensor) -> torch.Tensor:
    return x.flatten().max(0).values


def scatter(x: torch.Tensor) -> torch.Tensor:
    return x.new_zeros(2, 4).scatter_reduce(0, PLACES[:, None].expand(4, 4), x, "amax", include_self=False)


def index(x: torch.Tensor) -> torch.Tensor:
    return x.new_zeros(2, 4).index_reduce(0, PLACES, x, "amax", include_self=False)


@remedy_of("trains in bfloat16 or float16 with `amax`")
@needs_a_compiler
@pytest.mark.parametrize(
    ("maxima", "emulate", "right"),
    [((by_index, of_a_whole_tensor), False, True), ((scatter, index), True, True), ((scatter, index), False, False)],
)
def test_maxima_in_bfloat16_have_the_gradient_of_eager_mode(maxima: Any, emulate: bool, right: bool) -> None:
    def use(net: Net, x: torch.Tensor) -> list[torch.Tensor]:
        hidden = x * net.weight
        hidden = hidden + F.gelu(hidden)
        return [maximum(hidden) for maximum in maxima]

    torch.manual_seed(0)
    values = torch.randperm(32).view(2, 4, 4) / 16  # without ties, also after rounding
    options = {"emulate_precision_casts": emulate}

    def train() -> None:
        assert_trains_like_eager(
            lambda: Net(use).bfloat16(),
            [(batch.bfloat16(),) for batch in values],
            lambda model: torch.compile(model, options=options),
            rtol=0.05,
            atol=0.05,
        )

    if right:
        train()
    else:
        with pytest.raises(AssertionError, match="gradient of weight"):
            train()


@remedy_of("rounds to bfloat16 and back")
@needs_a_compiler
def test_rounding_to_bfloat16_has_an_effect() -> None:
    def use(net: Net, x: torch.Tensor) -> torch.Tensor:
        return x * net.weight.bfloat16().float()[0] * 1.001

    options = {"emulate_precision_casts": True}
    trains(use, compiled=lambda model: torch.compile(model, options=options), rtol=0, atol=1e-6)


@remedy_of("selects by an index of -1")
@needs_a_compiler
def test_an_index_is_checked_outside() -> None:
    def target(labels: torch.Tensor) -> torch.Tensor:
        return torch.zeros(len(labels), 4).scatter(1, labels[:, None], 1.0)

    def checked(net: Net, x: torch.Tensor, labels: torch.Tensor) -> torch.Tensor:
        return net.linear(x).log_softmax(1) * target(labels)

    trains(checked, [(*batch, torch.arange(len(batch[0])) % 4) for batch in BATCHES])
    torch.compiler.reset()
    scatter = torch.compile(target, dynamic=True)
    one_hot = torch.compile(lambda labels: F.one_hot(labels, 4), dynamic=True)
    for wrong in (-1, 99):
        labels = torch.tensor([0, wrong, 2])
        assert scatter(labels).sum() == 2  # nothing is raised
        assert not ((labels == -100) | (labels >= 0) & (labels < 4)).all()
        with pytest.raises(RuntimeError):
            one_hot(labels)


@remedy_of("passes views that overlap")
def test_one_tensor_is_sliced_inside() -> None:
    def use(net: Net, both: torch.Tensor) -> torch.Tensor:
        left, right = both[:3], both[1:]
        left.mul_(2)
        return net.linear(right)

    trains(use, [(torch.ones(size, 4),) for size in (4, 5, 6)])


@torch.library.custom_op("remedies::double_", mutates_args={"x"})
def double_(x: torch.Tensor, old: torch.Tensor) -> None:
    x.copy_(old * 2)


@remedy_of("passes a custom operator both")
@needs_a_compiler
def test_an_operator_writes_into_a_new_tensor() -> None:
    def use(net: Net, x: torch.Tensor) -> torch.Tensor:
        new = torch.empty_like(x)
        double_(new, x)
        return net.linear(new)

    trains(use, compiled=torch.compile)


@remedy_of("changes a float64 tensor without dimensions")
def test_a_total_with_one_element_counts() -> None:
    def use(net: Net, x: torch.Tensor) -> torch.Tensor:
        y = net.linear(x)
        net.total.add_(y.detach().sum())
        return y

    def make() -> Net:
        net = Net(use)
        net.register_buffer("total", torch.zeros(1, dtype=torch.float64))
        return net

    assert_trains_like_eager(make, BATCHES, AOT)


@remedy_of("adds a loss to a buffer")
def test_a_detached_loss_is_added() -> None:
    def use(net: Net, x: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        logits = net.linear(x)
        loss = logits.square().mean()
        net.correct += (logits > 0).sum()
        net.total += loss.detach()
        return loss, logits.argmax(-1)

    def make() -> Net:
        net = Net(use)
        net.register_buffer("correct", torch.zeros((), dtype=torch.long))
        net.register_buffer("total", torch.zeros(()))
        return net

    assert_trains_like_eager(make, BATCHES, AOT)


def queue_in_forward(net: Net, x: torch.Tensor) -> torch.Tensor:
    y = net.linear(x)
    logits = y @ net.state.clone().detach()
    net.state[:, : len(x)] = y.detach().t()
    return logits


def queue_in_new_tensor(net: Net, x: torch.Tensor) -> torch.Tensor:
    y = net.linear(x)
    logits = y @ net.state
    net.state = torch.cat([y.detach().t(), net.state[:, len(x) :]], 1)
    return logits


def queue_outside(net: Net, x: torch.Tensor) -> torch.Tensor:
    return net.linear(x) @ net.state


def part_in_forward(net: Net, x: torch.Tensor) -> torch.Tensor:
    net.state[: len(x)] = x
    return net.weight * net.state


def part_in_new_tensor(net: Net, x: torch.Tensor) -> torch.Tensor:
    net.state = torch.cat([x, net.state[len(x) :]])
    return net.weight * net.state


def part_in_filled_tensor(net: Net, x: torch.Tensor) -> torch.Tensor:
    filled = net.state.clone()
    filled[: len(x)] = x
    net.state = filled
    return net.weight * filled


def part_outside(net: Net, x: torch.Tensor) -> torch.Tensor:
    return net.weight * net.state


def shift(net: Net) -> None:
    net.state[:2] += 1  # before the next call, after backward()


@remedy_of("copies a buffer or an argument, and then changes it")
@remedy_of("changes a part of a buffer or an argument in place")
@needs_a_compiler
@pytest.mark.parametrize(
    ("use", "wrong"),
    [
        (queue_in_forward, "gradient of linear"),
        (part_in_forward, "state"),
        (queue_in_new_tensor, ""),
        (part_in_new_tensor, ""),
        (queue_outside, ""),
        (part_outside, ""),
    ],
)
def test_a_buffer_is_changed_by_the_caller_or_replaced(use: Model, wrong: str) -> None:
    batches = [(torch.linspace(-1, 1, 8).view(2, 4) + step,) for step in range(3)]
    before = shift if use in (queue_outside, part_outside) else lambda model: None
    # the folder of the wrong form would give the right one its backward pass
    with torch.compiler.config.patch(force_disable_caches=True):
        if wrong:
            with pytest.raises(AssertionError, match=wrong):
                trains(use, batches, torch.compile)
        else:
            trains(use, batches, torch.compile, before=before)


@needs_a_compiler
def test_the_cache_gives_a_right_form_the_backward_pass_of_a_wrong_one() -> None:
    batches = [(torch.ones(2, 4),), (torch.zeros(2, 4),)]
    with torch.compiler.config.patch(force_disable_caches=True):
        trains(part_in_filled_tensor, batches, torch.compile)
    for use in (part_in_forward, part_in_filled_tensor):
        with pytest.raises(AssertionError, match="state"):
            trains(use, batches, torch.compile)
