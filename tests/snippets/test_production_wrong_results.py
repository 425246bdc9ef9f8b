"""Which updates and copies are wrong or right, as docs/production/wrong-updates.md says."""

import logging

import pytest
import torch
import torch._dynamo.config

from compile_lessons.ground.patching import TORCH
from training import assert_trains_like_eager


def clone(x):
    return x.clone()


def detached_clone(x):
    return x.detach().clone()


def cat(x):
    return torch.cat([x])


def copy_(x):
    return torch.empty_like(x).copy_(x)


class Cache(torch.nn.Module):
    """Fills its buffer in place, and makes a copy after the first half."""

    def __init__(self, copy):
        super().__init__()
        self.copy = copy
        self.register_buffer("cache", torch.zeros(3, 4))

    def forward(self):
        self.cache[:, :2] = 7
        between = self.copy(self.cache)
        self.cache[:, 2:] = 9
        return between


@pytest.mark.parametrize("copy", [clone, detached_clone, cat, copy_])
def test_copies_of_a_buffer_get_a_later_change(copy):
    assert not torch.equal(torch.compile(Cache(copy))(), Cache(copy)())


def overridden(override: str) -> list[str]:
    """Return the compiles that got another backend, with a function that has two versions and another one."""
    torch.compiler.reset()
    lines: list[str] = []
    handler = logging.Handler(logging.INFO)
    handler.emit = lambda line: lines.append(str(torch._guards.CompileContext.current_compile_id()))
    log = logging.getLogger("torch._dynamo.graph_id_filter")
    level = log.level
    log.addHandler(handler)
    log.setLevel(logging.INFO)
    try:
        with torch._dynamo.config.patch(debug_backend_override=override):
            double, add = torch.compile(lambda x: x * 2, backend="eager"), torch.compile(clone, backend="eager")
            double(torch.ones(2))
            double(torch.ones(2, dtype=torch.float64))
            add(torch.ones(2))
    finally:
        log.removeHandler(handler)
        log.setLevel(level)
    return lines


@pytest.mark.parametrize(
    "override, compiles",
    [
        ("0:aot_eager", ["0/0", "0/1"]),
        (">0:aot_eager", ["1/0"]),
        ("0:eager;>=1:aot_eager", ["0/0", "0/1", "1/0"]),
        ("7:eager", []),
    ],
    ids=["versions share a number", "others", "two rules", "a rule that matches nothing says nothing"],
)
def test_which_compiles_get_another_backend(override: str, compiles: list[str]) -> None:
    assert overridden(override) == compiles


class Totals(torch.nn.Module):
    """Counts correct predictions, and adds up the loss without its graph."""

    def __init__(self):
        super().__init__()
        self.register_buffer("correct", torch.zeros((), dtype=torch.long))
        self.register_buffer("total", torch.zeros(()))

    def forward(self, logits, labels):
        predicted = logits.argmax(-1)
        loss = torch.nn.functional.cross_entropy(logits, labels)
        self.correct += (predicted == labels).sum()
        self.total += loss.detach()
        return loss, predicted


@pytest.mark.parametrize("backend", ["eager", "aot_eager"])
def test_a_detached_total_leaves_the_predictions(backend):
    logits = torch.eye(4, requires_grad=True)
    _, predicted = torch.compile(Totals(), backend=backend)(logits, torch.tensor([0, 1, 2, 0]))
    assert predicted.tolist() == [0, 1, 2, 3]


class Scaled(torch.nn.Module):
    """Scales what a layer computes by a number that a buffer holds: ``change`` changes it and returns the factor."""

    def __init__(self, change, dtype=torch.float32):
        super().__init__()
        self.change = change
        self.linear = torch.nn.Linear(4, 4)
        self.register_buffer("state", torch.ones((), dtype=dtype))

    def forward(self, x):
        return self.change(self, self.linear(x))


def add_in_place(model, y):
    model.state.add_(1)
    return y * (model.state / 10)


def augmented(model, y):
    model.state += 1
    return y * (model.state / 10)


def multiply_in_place(model, y):
    model.state.mul_(2)
    return y / model.state


def written_back(model, y):
    new = model.state + 1
    model.state.copy_(new)
    return y * (new / 10)


def without_gradients(model, y):
    with torch.no_grad():
        model.state.add_(1)
    return y * (model.state / 10)


def clone_of_the_new(model, y):
    model.state.add_(1)
    return y * (model.state.clone() / 10)


def clone_of_the_old(model, y):
    scaled = y * (model.state.clone() / 10)
    model.state.add_(1)
    return scaled


def chosen_by_where(model, y):
    model.state.add_(1)
    return torch.where(model.state > 2, y * 3, y)


WRONG_IN_PLACE = [
    add_in_place,
    augmented,
    multiply_in_place,
    written_back,
    without_gradients,
    clone_of_the_new,
    clone_of_the_old,
    chosen_by_where,
]


def no_gradient_needs_it(model, y):
    model.state.add_(1)
    return y + model.state


def average_of_the_batch(model, y):
    model.state.lerp_(y.detach().abs().mean(), 0.1)
    return y / model.state


def new_tensor(model, y):
    model.state = model.state + 1
    return y * (model.state / 10)


def outside(model, y):
    return y * (model.state / 10)


@torch.compiler.disable
def count(model):
    model.state += 1


def in_a_disabled_function(model, y):
    count(model)
    return y * (model.state / 10)


RIGHT = [no_gradient_needs_it, average_of_the_batch, new_tensor, outside, in_a_disabled_function]
BATCHES = [(torch.full((2, 4), float(number)),) for number in (1, 2, 3)]


def trains_like_eager(change, backend, dtype=torch.float32, batches=BATCHES, **options):
    def before(model):
        if change is outside:
            model.state += 1

    assert_trains_like_eager(
        lambda: Scaled(change, dtype),
        batches,
        lambda model: torch.compile(model, backend=backend, **options),
        before=before,
    )


@pytest.mark.parametrize("change", WRONG_IN_PLACE)
def test_a_buffer_that_changes_in_place_gives_the_next_steps_gradient(change):
    with pytest.raises(AssertionError, match="gradient of linear"):
        trains_like_eager(change, "aot_eager")


@pytest.mark.parametrize(
    ("change", "backend", "dtype"),
    [(add_in_place, "aot_eager", torch.int64), (add_in_place, "inductor", torch.float32)],
)
def test_an_int_and_inductor_are_no_better(change, backend, dtype):
    with pytest.raises(AssertionError, match="gradient of linear"):
        trains_like_eager(change, backend, dtype)


@pytest.mark.parametrize("change", RIGHT)
def test_updates_that_train_right(change):
    trains_like_eager(change, "aot_eager")


@pytest.mark.parametrize("change", [new_tensor, outside])
def test_the_fixes_train_right_with_inductor_and_a_dynamic_size(change):
    batches = [(torch.ones(size, 4),) for size in (2, 3, 5)]
    trains_like_eager(change, "inductor", batches=batches, dynamic=True)


def losses_of_two_calls(change_state, backend):
    """Call twice, with a change of the state before each, then go backward through both."""
    torch.compiler.reset()
    model = Scaled(outside)
    call = torch.compile(model, backend=backend)
    losses = []
    for _ in range(2):
        change_state(model)
        losses.append(call(torch.ones(2, 4)).sum())
    sum(losses).backward()
    return model.linear.bias.grad


def assign(model):
    model.state = model.state + 1


def test_several_calls_before_backward_need_a_new_tensor_each():
    assert torch.equal(losses_of_two_calls(assign, "aot_eager"), losses_of_two_calls(assign, "eager"))
    with pytest.raises(RuntimeError, match="modified by an inplace operation"):
        losses_of_two_calls(count, "aot_eager")


OVERLAPPING = {
    "windows": lambda x: x.unfold(-1, 3, 1),
    "windows of rows": lambda x: x.view(2, 6).unfold(-1, 3, 1),
    "as_strided": lambda x: x.as_strided((5, 4), (1, 1)),
}


class Overlapping(torch.nn.Module):
    """Weighs the windows of a signal that a gain multiplies. Only ``cut`` is compiled."""

    def __init__(self, view):
        super().__init__()
        self.gain = torch.nn.Parameter(torch.ones(12))
        self.view = view

    def cut(self, x):
        return self.view(x * self.gain)

    def copy(self, x):
        return self.cut(x).contiguous()

    def call_in_eager_mode(self, x):
        return torch.compiler.disable(self.cut)(x)

    def forward(self, x):
        return weighed(self.cut(x))


def weighed(windows):
    return windows * torch.arange(float(windows.numel())).view(windows.shape)


@pytest.mark.parametrize("view", OVERLAPPING.values(), ids=OVERLAPPING)
@pytest.mark.parametrize(
    ("change", "setting"),
    [("copy", True), ("call_in_eager_mode", True), ("cut", False)],
    ids=["copy", "eager", "setting"],
)
def test_a_workaround_trains_with_each_overlapping_view(view, change, setting):
    def compiled(model):
        cut = torch.compile(getattr(model, change), backend="aot_eager")
        return lambda x: weighed(cut(x))

    with torch._functorch.config.patch(guess_tangent_strides_as_outputs=setting):
        assert_trains_like_eager(lambda: Overlapping(view), [(torch.randn(1, 12),), (torch.randn(1, 12),)], compiled)


@pytest.mark.parametrize("view", OVERLAPPING.values(), ids=OVERLAPPING)
def test_a_dynamic_size_helps_only_some_overlapping_views(view):
    x = torch.linspace(0, 1, 12, requires_grad=True)
    gradients = []
    for function in (view, torch.compile(lambda x: view(x * 2), backend="aot_eager", dynamic=True)):
        factor = 2 if function is view else 1
        gradients.append(torch.autograd.grad(weighed(function(x)).sum() * factor, x)[0])
    assert torch.allclose(*gradients) == (view is OVERLAPPING["windows"] or TORCH < (2, 13))
