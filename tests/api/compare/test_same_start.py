"""Runs that begin alike: forked processes, and copies where nothing can be forked."""

import collections
import functools
import itertools
import os
import random
import signal
import time
from types import ModuleType

import pytest
import torch
from torch import nn

import compile_lessons.api.compare as compare
from compile_lessons import capture, capture_calls
from compile_lessons.api.compare import start
from compile_lessons.pipeline.session import CaptureSettings

compared = functools.partial(capture, compare=True, until="dynamo")
x = torch.ones(3)


def in_the_child(action):
    """A function that does something in eager mode's process and only there."""
    parent = os.getpid()

    @torch.compiler.disable
    def act():
        if os.getpid() != parent:
            action()

    def fn(x):
        act()
        return x + 1

    return fn


ENDS = {
    "killed": (lambda: os.kill(os.getpid(), signal.SIGKILL), "the eager run: it was killed by SIGKILL"),
    "crashed": (os.abort, "the eager run: it was killed by SIGABRT"),
    "ended by C++": (
        lambda: (os.write(2, b"terminate called\n  what():  CUDA error: initialization error\nmore\n"), os.abort()),
        "the eager run: it was killed by SIGABRT: CUDA error: initialization error",
    ),
    "ended by libc": (
        lambda: (os.write(2, b"a warning\nfree(): invalid pointer\n"), os.abort()),
        "the eager run: it was killed by SIGABRT: free(): invalid pointer",
    ),
    "ended": (lambda: os._exit(3), "the eager run: it ended the process with status 3"),
    "ended as if all was well": (lambda: os._exit(0), "the eager run: it ended the process with status 0"),
    "ended with the process that forked it": (
        lambda: (os.kill(os.getppid(), signal.SIGKILL), os._exit(0)),
        "the eager run: the process that runs it died",
    ),
    "asleep": (lambda: time.sleep(60), "the eager run: it waited for longer than 1 seconds"),
    "endless": (
        lambda: collections.deque(itertools.count(), 0),
        "the eager run: it used more processor time than 1 seconds",
    ),
}


@pytest.mark.parametrize("name", ENDS)
def test_a_child_that_ends_badly_is_named(name, monkeypatch):
    monkeypatch.setattr(start, "SECONDS", 1.0 if name in ("asleep", "endless") else 60.0)
    action, reason = ENDS[name]
    pipeline = compared(in_the_child(action))(x)
    assert pipeline.failures == () and len(pipeline.graphs) == 1
    assert (pipeline.comparison.status, pipeline.comparison.reason) == ("not compared", reason)


def test_a_job_that_raises_says_what():
    forked = start.Forked(start.Start(torch.sin, [((x,), {})], CaptureSettings()))
    try:
        with pytest.raises(start.NoResult, match=r"^it raised ZeroDivisionError: division by zero$"):
            forked.run(divide_by_zero)
    finally:
        forked.close()


def divide_by_zero(start):
    1 / 0  # noqa: B018


def test_no_child_is_left():
    compared(lambda x: x + 1)(x)
    with pytest.raises(ChildProcessError):
        os.waitpid(-1, os.WNOHANG)


def test_the_child_prints_nothing(capfd):
    compared(in_the_child(lambda: os.write(1, b"printed")))(x)
    assert capfd.readouterr().out == ""


@pytest.fixture
def no_fork(monkeypatch):
    monkeypatch.setattr(compare, "can_fork", lambda: False)


def test_copies_serve_where_nothing_can_be_forked(no_fork):
    module, x = nn.Sequential(nn.Linear(3, 3), nn.BatchNorm1d(3), nn.Dropout()), torch.randn(4, 3, requires_grad=True)
    pipeline = compared(module)(x * 2)
    drawn = torch.rand(1)
    assert pipeline.comparison.status == "equal", str(pipeline.comparison)
    assert {value.kind for value in pipeline.comparison.values} == {"output", "gradient", "state"}
    assert module[1].num_batches_tracked == 1
    torch.manual_seed(0)
    again = nn.Sequential(nn.Linear(3, 3), nn.BatchNorm1d(3), nn.Dropout())
    again(torch.randn(4, 3))
    assert torch.equal(torch.rand(1), drawn)


def test_what_a_function_holds_is_not_copied(no_fork):
    module = nn.Linear(3, 3)
    reason = compared(lambda x: module(x))(torch.ones(2, 3)).comparison.reason
    assert "a function holds" in reason and "Fix: give it to the callable as an argument" in reason


STATE = {"n": 0, "scale": 2.0}
NUMBERS = iter([2.0, 3.0, 4.0, 5.0, 6.0, 7.0])
RANDOM = random.Random(0)
SEEN = []
helpers = ModuleType("helpers_of_this_test")
helpers.calls = 0


class Counter:
    calls = 0


def counts_in_a_dict(x):
    STATE["n"] += 1
    return x * STATE["n"]


def counts_in_a_global(x):
    global calls
    calls = globals().get("calls", 0) + 1
    return x * calls


def counts_in_a_class(x):
    Counter.calls += 1
    return x * Counter.calls


def counts_in_a_module(x):
    helpers.calls += 1
    return x * helpers.calls


def counts_in_eager_mode_alone(x):
    if not torch.compiler.is_compiling():
        SEEN.append(1)
    return x * (len(SEEN) + 1)


def counting_in_a_cell():
    n = 0

    def count(x):
        nonlocal n
        n += 1
        return x * n

    return count


def takes_the_next(x):
    return x * next(NUMBERS)


def draws(x):
    return x * RANDOM.random()


CHANGES = {
    "STATE['n']": counts_in_a_dict,
    "calls": counts_in_a_global,
    "Counter.calls": counts_in_a_class,
    "helpers.calls": counts_in_a_module,
    "SEEN[": counts_in_eager_mode_alone,
    "n": counting_in_a_cell(),
}


@pytest.mark.parametrize("name", CHANGES)
def test_state_that_is_not_copied_is_not_compared(no_fork, name):
    """A copy of a call shares what functions, classes and modules hold: an eager run would find it changed."""
    for _ in range(2):
        comparison = compared(CHANGES[name])(x).comparison
        assert comparison.status == "not compared", str(comparison)
        assert comparison.reason.startswith(f"the eager run: the call changes {name}")
        assert "which can't be copied. Fix: give it to the callable" in comparison.reason


def test_the_compiled_call_finds_state_as_it_was(no_fork):
    before = STATE["n"]
    pipeline = compared(counts_in_a_dict)(x)
    assert STATE["n"] == before + 1
    assert any(f"equal to {before}" == guard.words for guard in pipeline.guards)


@pytest.mark.parametrize(("fn", "name"), [(takes_the_next, "NUMBERS (list_iterator)"), (draws, "RANDOM (Random)")])
def test_an_object_with_a_hidden_state_is_not_compared(no_fork, fn, name):
    comparison = compared(fn)(x).comparison
    assert comparison.reason.startswith(f"the eager run: a function holds {name}, whose state can't be copied. Fix: ")


def test_state_that_is_only_read_is_compared(no_fork):
    assert compared(lambda x: x * STATE["scale"] * Counter.calls)(x).comparison.status == "equal"


def test_calls_that_change_state_are_not_compared(no_fork):
    before = STATE["n"]
    calls = capture_calls(counts_in_a_dict, backend="eager", compare=True)([x, x]).calls
    assert [call.comparison.status for call in calls] == ["not compared"] * 2
    assert "changes STATE['n']" in calls[0].comparison.reason
    assert STATE["n"] == before + 2


def test_an_argument_whose_copy_raises_anything(no_fork):
    class Stubborn:
        def __deepcopy__(self, memo):
            raise ValueError("no copy")

    comparison = compared(lambda x, other: x + 1)(x, Stubborn()).comparison
    assert comparison.reason == "the eager run: the call can't be copied for the eager run: no copy"


def test_copies_serve_where_autograd_s_threads_forbid_a_fork():
    def refused(x):
        if os.getpid() != parent:
            raise RuntimeError(f"{compare._NO_FORK}-based multiprocessing.")
        return x + 1

    parent = os.getpid()
    assert compared(torch.compiler.disable(refused))(x).comparison.status == "equal"
