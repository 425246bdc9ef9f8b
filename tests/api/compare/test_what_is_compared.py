"""What a result is beside its numbers, and what a call changes beside tensors."""

import itertools
import time
from collections import deque
from typing import Any

import pytest
import torch
from torch import nn
from torch.compiler import is_compiling

from compile_lessons import capture
from compile_lessons.api.compare import memory, reach
from compile_lessons.api.compare.memory import overlap
from compile_lessons.api.compare.start import Forked, NoResult
from compile_lessons.facts import EagerComparison


class Scaled(torch.Tensor):
    """A subclass without methods of its own."""


class Counter(nn.Module):
    calls = 0
    _private = 0

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        if is_compiling():
            self.calls += 1
            self._private += 1
        return x + 1


class Config:
    def __init__(self) -> None:
        self.seen = {"a": 1}
        self.names: set[str] = set()


HISTORY: list[int] = []
QUEUE = deque([1, 2])
TABLE = {f"word {number}": number for number in range(1000)}
config = Config()


def compared(fn: Any, *args: Any) -> EagerComparison:
    torch.compiler.reset()
    comparison = capture(fn, until="dynamo", compare=True)(*args).comparison
    assert comparison is not None
    return comparison


def either(now: Any, then: Any) -> Any:
    """Return a function that does one thing in compiled code, and another in eager mode."""
    return lambda x: now(x) if is_compiling() else then(x)


def notes(change: Any) -> Any:
    def fn(x: torch.Tensor) -> torch.Tensor:
        if is_compiling():
            change()
        return x + 1

    return fn


FORMS = {
    "requires_grad": (either(lambda x: x * 1, lambda x: x.detach() * 1), "requires_grad=True instead of"),
    "strides": (
        either(lambda x: x.t().contiguous().t() + 1, lambda x: x + 1),
        r"strides (1, 2) instead of strides (3, 1)",
    ),
    "a copy of an input": (either(torch.clone, lambda x: x), "in memory of its own instead of the object x"),
    "an input": (either(lambda x: x, torch.clone), "the object x instead of in memory of its own"),
    "a view of an input": (
        either(lambda x: x.view(-1), lambda x: x.flatten().clone()),
        "in the memory of x instead of",
    ),
    "not the input itself": (either(lambda x: x.view(2, 3), lambda x: x), "in the memory of x instead of the object x"),
    "two outputs": (
        either(lambda x: (y := x + 1, y.view(-1)), lambda x: (y := x + 1, y.view(-1) + 0)),
        "output[1] (in the memory of output[0] instead of in memory of its own)",
    ),
    "one output twice": (
        either(lambda x: (y := x + 1, y), lambda x: (x + 1, x + 1)),
        "output[1] (the object output[0] instead of in memory of its own)",
    ),
}


@pytest.mark.parametrize("name", FORMS)
def test_another_form_of_an_output_is_different(name: str) -> None:
    fn, words = FORMS[name]
    comparison = compared(fn, torch.randn(2, 3, requires_grad=name == "requires_grad"))
    assert comparison.status == "different" and words in comparison.reason, str(comparison)


def test_a_subclass_that_comes_back_plain_is_different() -> None:
    plain = either(lambda x: x.as_subclass(torch.Tensor) + 1, lambda x: x + 1)
    comparison = compared(plain, torch.ones(3).as_subclass(Scaled))
    assert comparison.status == "different" and "instead of" in comparison.reason and "Scaled" in comparison.reason


@pytest.mark.parametrize(
    "fn",
    [
        lambda x: (x, x.view(-1), x[0], x.t()),
        lambda x: (x * 2).chunk(3, -1),
        lambda x: (x.contiguous(), x.to(x.dtype), x.expand(2, 2, 3), x.clone()),
        lambda x: (x.mul_(2), x),
    ],
)
def test_the_same_form_is_equal(fn: Any) -> None:
    comparison = compared(fn, torch.randn(2, 3))
    assert (comparison.status, comparison.reason) == ("equal", "")


CHANGES = {
    "list": (lambda: HISTORY.append(1), "HISTORY[0]"),
    "a removed item": (QUEUE.pop, "change[1]"),
    "large container": (lambda: TABLE.update(one=1), "TABLE"),
    "dict of an object": (lambda: config.seen.update(a=2), "config.seen['a']"),
    "set": (lambda: config.names.add("x"), "config.names"),
}


@pytest.mark.parametrize("name", CHANGES)
def test_a_global_that_only_compiled_code_changes_is_different(name: str) -> None:
    change, path = CHANGES[name]
    comparison = compared(notes(change), torch.ones(3))
    wrong = [value.path for value in comparison.values if not value.equal]
    assert len(wrong) == 1 and wrong[0].endswith(path), str(comparison)
    assert "changed; eager mode doesn't change it" in comparison.reason


def test_an_attribute_that_only_compiled_code_changes_is_different() -> None:
    comparison = compared(Counter(), torch.ones(3))
    assert {value.path for value in comparison.values if not value.equal} == {"calls", "_private"}


def test_what_both_change_is_equal_and_counted() -> None:
    counter = itertools.count()

    def fn(x: torch.Tensor, box: dict[str, Any]) -> torch.Tensor:
        box["calls"] = box.get("calls", 0) + 1
        HISTORY.append(len(HISTORY))
        next(counter)
        return x + 1

    comparison = compared(fn, torch.ones(3), {})
    kinds = {(value.kind, value.path) for value in comparison.values}
    assert comparison.status == "equal"
    assert ("input", "box['calls']") in kinds and any(path.startswith("HISTORY[") for _, path in kinds)


def test_what_eager_mode_itself_changes_otherwise_in_each_run_is_not_compared() -> None:
    box: dict[str, int] = {}
    note = torch.compiler.disable(lambda: box.update(now=time.time_ns()))

    def fn(x: torch.Tensor) -> torch.Tensor:
        note()
        return x + 1

    comparison = compared(fn, torch.ones(3))
    assert comparison.status == "equal", str(comparison)
    assert "['now'] is another one after each run in eager mode: not compared" in comparison.reason


def test_what_is_not_compared_is_said_so(monkeypatch: pytest.MonkeyPatch) -> None:
    assert "whether arrays share memory is not compared" in compared(lambda x: (x + 1).numpy(), torch.ones(3)).reason
    sparse = compared(lambda x: x * 2, torch.eye(3).to_sparse())
    assert "strides and memory of output are not compared" in sparse.reason
    monkeypatch.setattr(reach, "LIMIT", 1)
    beside = compared(lambda x: x + len(HISTORY), torch.ones(3))
    assert beside.status == "equal" and "more than 20,000 objects: changes of the others are not" in beside.reason


def test_a_gradient_of_zeros_is_none() -> None:
    """After a graph break, the first graph has a gradient of zeros for what only ``item()`` read."""

    def fn(x: torch.Tensor, y: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        out = x + 1
        out += y.sum().item()
        out += x
        return out, x

    x, y = (torch.randn(3, requires_grad=True) for _ in range(2))
    comparison = capture(fn, until="aot", compare=True)(x, y).comparison
    assert comparison is not None and comparison.status == "equal", str(comparison)
    assert comparison.reason == "the gradient of y is zeros, and None in eager mode"


def test_a_second_compile_that_fails_tells_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    message = "Unable to handle autograd's threading in combination with fork-based multiprocessing"
    run = Forked.run

    def failing(self: Forked, job: Any, *args: Any) -> Any:
        if job.__name__ == "compiled":
            raise NoResult(f"it raised RuntimeError: {message}")
        return run(self, job, *args)

    monkeypatch.setattr(Forked, "run", failing)
    comparison = capture(nn.Dropout(0.5), compare=True)(torch.ones(100)).comparison
    assert comparison is not None and comparison.status == "not compared" and message in comparison.reason


@pytest.mark.parametrize(
    ("left", "right", "expected"),
    [
        (lambda x: x[:2], lambda x: x[2:], False),
        (lambda x: x[:, :2], lambda x: x[:, 2:], False),
        (lambda x: x[:, :2], lambda x: x[:, 1:3], True),
        (lambda x: x[::2], lambda x: x[1::2], False),
        (lambda x: x[:0], lambda x: x, False),
        (lambda x: x[0].expand(3, 4), lambda x: x.t(), True),
        (lambda x: x.view(torch.int32), lambda x: x, True),
    ],
)
def test_tensors_of_one_storage_overlap_by_their_elements(left: Any, right: Any, expected: bool) -> None:
    x = torch.zeros(4, 4)
    assert overlap(left(x), right(x)) == expected


def test_large_tensors_overlap_by_their_ends(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(memory, "_EXACT", 0)
    x = torch.zeros(4, 4)
    assert overlap(x[:, :2], x[:, 2:]) and not overlap(x[:2], x[2:])
