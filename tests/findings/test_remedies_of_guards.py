"""Each remedy for a guard, applied as printed: fewer versions are compiled, and the model trains as before."""

import math
from collections.abc import Callable
from typing import Any

import pytest
import torch
import torch.nn.functional as F
from torch import nn
from torch._dynamo.testing import CompileCounterWithBackend

from compile_lessons.facts.source import Location
from compile_lessons.findings.catalogue import catalogue
from compile_lessons.findings.guards import read_guard
from compile_lessons.findings.uses import by_use
from training import assert_trains_like_eager

factors = [0.5, 1.5, 2.5, 3.5, 4.5, 5.5]


def clamped(x, n):
    return x.clamp(max=n)


def warmed_up(x, n):
    scale = min(1.0, n / 10)
    return x * scale * 0.9**n


def masked(x, n):
    return torch.where(x > n / 10, x, n)


def decayed(x, n):
    return x * math.log(n)


def branched(x, n):
    if n % 4 == 0:
        return x * 2
    return x + 1


def cut(x, n):
    return x[:n] * 2


def best(x, n):
    return x.topk(n, dim=0)[0]


def repeated(x, n):
    for _ in range(n):
        x = torch.tanh(x)
    return x


def looked_up(x, n):
    return x * factors[n]


def attention(x, n):
    return F.scaled_dot_product_attention(x[None], x[None], x[None], scale=n / 10)


def attention_with_a_tensor(x, n):
    return F.scaled_dot_product_attention(x[None] * n, x[None], x[None], scale=1.0)


def smoothed(x, n):
    return F.smooth_l1_loss(torch.tanh(x), torch.zeros(12, 4), beta=n)


def chunks(x, n):
    return torch.tanh(x).chunk(n)[0]


def put(x, n):
    cache = torch.zeros(12, 4)
    cache[:, n - 2] = x[:, 0]
    return cache


def put_by_a_tensor(x, n):
    return torch.zeros(12, 4).index_copy(1, n, x[:, :1])


def with_one_index(compiled, x, n):
    return compiled(x, torch.tensor([n - 2]))


def scaled(x, n):
    return x * n


def if_true(x, flag):
    return x * 2 if flag else x + 1


def one_tanh(x, n):
    return torch.tanh(x)


def as_tensor(compiled, x, n):
    return compiled(x, torch.tensor(n))


def as_int(compiled, x, n):
    return compiled(x, n)


def with_the_logarithm(compiled, x, n):
    return compiled(x, torch.tensor(math.log(n)))


def with_the_result_of_the_condition(compiled, x, n):
    return compiled(x, n % 4 == 0)


def in_a_loop(compiled, x, n):
    for _ in range(n):
        x = compiled(x, None)
    return x


def with_the_entry(compiled, x, n):
    return compiled(x, torch.tensor(factors[n]))


def with_the_scale(compiled, x, n):
    return compiled(x, torch.tensor(n / 10))


def with_the_loss_outside(compiled, x, n):
    return F.smooth_l1_loss(compiled(x, None), torch.zeros(12, 4), beta=n)


def with_chunks_outside(compiled, x, n):
    return compiled(x, None).chunk(n)[0]


Step = Callable[..., Any]
#: The use; what the model does with its number; what is compiled instead, how it is called, and the versions then.
REMEDIES: list[tuple[str, Step, Step, Step, int]] = [
    ("arithmetic", clamped, clamped, as_tensor, 1),
    ("arithmetic", warmed_up, warmed_up, as_tensor, 1),
    ("arithmetic", masked, masked, as_tensor, 1),
    ("python", decayed, scaled, with_the_logarithm, 1),
    ("branch", branched, if_true, with_the_result_of_the_condition, 2),
    ("size", cut, cut, as_int, 2),
    ("size", best, best, as_int, 2),
    ("loop", repeated, one_tanh, in_a_loop, 1),
    ("index", looked_up, scaled, with_the_entry, 1),
    ("number", attention, attention_with_a_tensor, with_the_scale, 1),
    ("number", smoothed, one_tanh, with_the_loss_outside, 1),
    ("number", chunks, one_tanh, with_chunks_outside, 1),
    ("number", put, put_by_a_tensor, with_one_index, 1),
]


class Model(nn.Module):
    """Keeps a number in an attribute, and trains its weight."""

    def __init__(self, function: Step) -> None:
        super().__init__()
        self.function, self.n = function, 2
        self.weight = nn.Parameter(torch.linspace(-2, 2, 48).reshape(12, 4))

    def forward(self, x, n):
        self.n = n
        return self.inner(x)

    def inner(self, x):
        return self.function(x * self.weight, self.n)


BATCHES = [(torch.ones(12, 4), n) for n in range(2, 5)]
ids = [function.__name__ for _, function, *_ in REMEDIES]


@pytest.mark.parametrize(("use", "function", "instead", "call", "versions"), REMEDIES, ids=ids)
def test_the_remedy_for_a_use_saves_versions_and_trains_the_same_model(use, function, instead, call, versions) -> None:
    place = Location(file=__file__, line=function.__code__.co_firstlineno + 1)
    found = by_use(read_guard("0/0: self.n == 2"), place)
    assert found.remedy == catalogue().uses[use].format(source="self.n")
    before, after = CompileCounterWithBackend("eager"), CompileCounterWithBackend("aot_eager")
    model = Model(function)
    compiled = torch.compile(model.inner, backend=before)
    for x, model.n in BATCHES:
        compiled(x)
    assert before.frame_count == len(BATCHES)

    def fixed(model: nn.Module) -> Step:
        inner = torch.compile(lambda x, n: instead(x, n), backend=after)
        return lambda x, n: call(inner, x * model.weight, n)

    assert_trains_like_eager(lambda: Model(function), BATCHES, fixed)
    assert after.frame_count == versions


class Counter(Model):
    """Counts its calls, and scales by their number."""

    def __init__(self) -> None:
        super().__init__(scaled)

    def forward(self, x):
        self.n += 1
        return self.inner(x)


def counted_in_a_buffer(model: Counter, backend: Step) -> Step:
    del model.n
    model.register_buffer("n", torch.tensor(2), persistent=False)
    compiled = torch.compile(model.inner, backend=backend)

    def call(x):
        model.n += 1
        return compiled(x)

    return call


def counted_in_an_argument(model: Counter, backend: Step) -> Step:
    compiled = torch.compile(lambda x, n: model.function(x * model.weight, n), backend=backend)

    def call(x):
        model.n += 1
        return compiled(x, torch.tensor(model.n))

    return call


@pytest.mark.parametrize("fix", [counted_in_a_buffer, counted_in_an_argument])
def test_a_counter_outside_of_the_compiled_function_needs_one_version_and_trains(fix: Step) -> None:
    line = Location(file=__file__, line=Counter.forward.__code__.co_firstlineno + 1)
    found = by_use(read_guard("0/0: self.n == 2"), line)
    assert found.remedy == catalogue().uses["counter"].format(source="self.n")
    counter = CompileCounterWithBackend("aot_eager")

    def fixed(model: Any) -> Step:
        call = fix(model, counter)
        if isinstance(model.n, torch.Tensor):  # compared by name with the eager model, which has no buffer
            model._buffers["n"] = model._buffers.pop("n")
        return call

    batches = [(torch.ones(12, 4),)] * 3
    assert_trains_like_eager(Counter, batches, fixed)
    assert counter.frame_count == 1


@pytest.mark.parametrize("place", ["attribute", "global"])
def test_a_tensor_in_an_attribute_or_a_global_needs_one_version(place: str) -> None:
    counter = CompileCounterWithBackend("aot_eager")
    model = Model(clamped)
    function = model.inner if place == "attribute" else (lambda x: clamped(x, limit))
    compiled = torch.compile(function, backend=counter)
    for number in (0.1, 0.2, 0.3):
        model.n = globals()["limit"] = torch.tensor(number)
        assert compiled(torch.ones(12, 4)).max() <= number + 1e-6
    assert counter.frame_count == 1


limit: Any = None


# ------------------------------------------------------------------------------------------------- other guards


def versions_of(function: Step, calls: list[tuple[Any, ...]]) -> int:
    torch.compiler.reset()
    counter = CompileCounterWithBackend("aot_eager")
    compiled = torch.compile(function, backend=counter)
    for call in calls:
        compiled(*call).sum().backward()
    return counter.frame_count


x = torch.ones(4, requires_grad=True)


def test_a_stride_is_the_same_after_a_clone_also_for_images_with_one_channel() -> None:
    images = torch.ones(2, 1, 4, 4, requires_grad=True)
    layouts = [images, images.to(memory_format=torch.channels_last), images.transpose(2, 3)]
    assert (
        "`x.clone(memory_format=torch.contiguous_format)`"
        in read_guard("tensor 'x' stride mismatch at index 0. expected 4, actual 1").remedy
    )
    assert versions_of(torch.sin, [(each,) for each in layouts]) == 3
    assert versions_of(torch.sin, [(each.contiguous(),) for each in layouts]) == 2
    copies = [(each.clone(memory_format=torch.contiguous_format),) for each in layouts]
    assert versions_of(torch.sin, copies) == 1


limits_by_name = {"a": 0.1, "b": 0.2, "c": 0.3, "d": 0.4}


def test_a_tensor_instead_of_a_string_needs_one_version_a_float_in_clamp_one_each() -> None:
    assert versions_of(lambda x, key: x.clamp(max=limits_by_name[key]), [(x, key) for key in limits_by_name]) == 4
    floats = [(x, limit) for limit in limits_by_name.values()]
    assert versions_of(clamped, floats) == 4
    assert versions_of(clamped, [(x, torch.tensor(limit)) for _, limit in floats]) == 1


def test_modules_of_one_class_share_a_version_and_functions_do_not() -> None:
    def apply(x, operation):
        return operation(x)

    assert versions_of(apply, [(x, operation) for operation in (torch.sin, torch.cos, lambda x: x * 2)]) == 3
    assert versions_of(apply, [(x, nn.Linear(4, 4)) for _ in range(3)]) == 1


def test_a_stacked_tensor_needs_two_versions_and_a_list_one_for_each_length() -> None:
    def total(x, values):
        return x + sum(values)

    assert versions_of(total, [(x, [x] * length) for length in range(2, 6)]) == 4
    assert versions_of(lambda x, values: x + values.sum(0), [(x, torch.stack([x] * n)) for n in range(2, 6)]) == 2


class Convolutions(nn.Sequential):
    def __init__(self) -> None:
        super().__init__(nn.Conv1d(3, 4, 3, padding=1), nn.BatchNorm1d(4), nn.ReLU())


class Attention(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.qkv = nn.Linear(8, 24)

    def forward(self, x):
        return F.scaled_dot_product_attention(*self.qkv(x).chunk(3, dim=-1), is_causal=True)


@pytest.mark.parametrize(("make", "shape"), [(Convolutions, (3, 6)), (Attention, (5, 8))])
@pytest.mark.parametrize("dimension", [0, -1])
def test_a_dimension_that_is_marked_needs_one_version_and_trains(make, shape, dimension) -> None:
    if make is Attention and dimension == -1:
        dimension = 1
    counter = CompileCounterWithBackend("aot_eager")
    batches = []
    for size in (4, 7, 9):
        sizes = [6, *shape]
        sizes[dimension] = size
        batches.append((torch.randn(sizes),))

    def fixed(model: nn.Module) -> Step:
        compiled = torch.compile(model, backend=counter)

        def call(x):
            torch._dynamo.mark_dynamic(x, dimension % x.dim())
            return compiled(x)

        return call

    assert_trains_like_eager(make, batches, fixed)
    assert counter.frame_count == 1
