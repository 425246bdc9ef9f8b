"""Which copies get a later change, as docs/production/wrong-updates.md says."""

import logging

import pytest
import torch
import torch._dynamo.config

from compile_lessons.ground.patching import TORCH


def clone(x):
    return x.clone()


def detached_clone(x):
    return x.detach().clone()


def cat(x):
    return torch.cat([x])


def copy_(x):
    return torch.empty_like(x).copy_(x)


@torch.compiler.disable
def copy_in_eager_mode(x):
    return x.clone()


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


def fill(cache, weight):
    """Do the same with a new tensor, which the caller writes back."""
    filled = cache.clone()
    filled[:, :2] = 7
    between = filled.clone()
    filled[:, 2:] = 9
    return between * weight, filled


def write_back(cache):
    """Do it in the compiled function, which is wrong."""
    filled = cache.clone()
    filled[:, :2] = 7
    between = filled.clone()
    filled[:, 2:] = 9
    cache.copy_(filled)
    return between


def result(function, dtype, size):
    """Return the copy, the cache afterwards and the gradient of the weight."""
    cache, weight = torch.zeros(size, 4, dtype=dtype), torch.ones(4, requires_grad=True)
    scaled, filled = function(cache, weight)
    cache.copy_(filled)
    scaled.sum().backward()
    return scaled, cache, weight.grad


def is_right(function, dynamic=None, dtype=torch.float32):
    torch.compiler.reset()
    compiled = torch.compile(function, dynamic=dynamic)
    pairs = [(result(function, dtype, size), result(compiled, dtype, size)) for size in ((3, 5) if dynamic else (3,))]
    return all(torch.equal(*values) for pair in pairs for values in zip(*pair, strict=True))


@pytest.mark.parametrize("copy", [clone, detached_clone, cat, copy_])
def test_copies_of_a_buffer_get_a_later_change(copy):
    torch.compiler.reset()
    assert torch.equal(torch.compile(Cache(copy))(), Cache(copy)()) == (TORCH != (2, 13))


def test_aot_eager_is_right():
    torch.compiler.reset()
    assert torch.equal(torch.compile(Cache(clone), backend="aot_eager")(), Cache(clone)())


def test_a_copy_in_eager_mode_is_right():
    assert torch.equal(torch.compile(Cache(copy_in_eager_mode))(), Cache(clone)())


@pytest.mark.parametrize(("dynamic", "dtype"), [(None, torch.float32), (True, torch.float32), (None, torch.int64)])
def test_a_new_tensor_is_right(dynamic, dtype):
    assert is_right(fill, dynamic, dtype)


def test_a_new_tensor_that_is_written_back_inside_is_wrong():
    torch.compiler.reset()
    compiled = torch.compile(write_back)(torch.zeros(3, 4))
    assert torch.equal(compiled, write_back(torch.zeros(3, 4))) == (TORCH != (2, 13))


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
    torch.compiler.reset()
    logits = torch.eye(4, requires_grad=True)
    _, predicted = torch.compile(Totals(), backend=backend)(logits, torch.tensor([0, 1, 2, 0]))
    assert predicted.tolist() == [0, 1, 2, 3]
