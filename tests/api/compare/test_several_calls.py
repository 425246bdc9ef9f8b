"""Each of several calls is compared with the same call in eager mode."""

import torch
from torch import nn
from torch.compiler import is_compiling

import compile_lessons.api.compare as compare
from compile_lessons import capture_calls
from compile_lessons.pipeline import backends
from compile_lessons.reports import summary

x = torch.ones(3)


def statuses(fn, calls, backend="aot_eager"):
    return [call.comparison.status for call in capture_calls(fn, backend=backend, compare=True)(calls).calls]


def test_calls_are_compared_only_when_asked():
    assert [call.comparison for call in capture_calls(torch.sin, backend="eager")([x]).calls] == [None]


def test_the_call_that_differs_is_named():
    def fn(x, n):
        return x + (n == 3 and is_compiling())

    result = capture_calls(fn, backend="aot_eager", compare=True)([(x, n) for n in (2, 3, 4)])
    assert [call.comparison.status for call in result.calls] == ["equal", "different", "equal"]
    assert "call 1, recompile\ndiffers from eager mode in 1 of 1 value" in str(result)


def test_training_steps_begin_where_the_last_one_ended():
    torch.manual_seed(0)
    model = nn.Sequential(nn.Linear(4, 4), nn.Dropout(0.5), nn.Linear(4, 1))
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    before = model[0].weight.clone()

    def step(batch):
        optimizer.zero_grad()
        loss = model(batch).square().mean()
        loss.backward()
        optimizer.step()
        return loss.detach()

    batches = [torch.randn(8, 4) for _ in range(3)]
    assert statuses(step, batches, "eager") == ["equal"] * 3
    assert not torch.equal(model[0].weight, before)


def test_a_rounding_that_grows_from_call_to_call_is_no_difference():
    state = torch.full((16,), 0.3)

    def chaotic(rate):
        state.mul_(rate * (1 - state))
        return state.sum()

    assert set(statuses(chaotic, [3.9 + i / 1000 for i in range(4)])) == {"equal"}


def test_what_comes_after_a_call_that_raised_is_not_compared():
    def raising(x, n):
        if n == 1:
            raise ValueError("one")
        return x * n

    calls = capture_calls(raising, backend="aot_eager", compare=True)([(x, n) for n in range(3)]).calls
    assert [call.comparison.status for call in calls] == ["equal", "not compared", "not compared"]
    assert [call.comparison.reason for call in calls[1:]] == [
        "the eager run raised ValueError",
        "an earlier call raised",
    ]


def test_a_crash_of_inductor_is_a_difference(monkeypatch):
    def crashes(graph, inputs, **settings):
        raise RuntimeError("no code")

    monkeypatch.setattr(backends, "inductor", crashes)
    calls = capture_calls(torch.sin, backend="aot_eager", compare=True)([x, x]).calls
    assert [(call.outcome, call.comparison.status) for call in calls] == [
        ("compile", "different"),
        ("hit", "not compared"),
    ]
    assert "raised RuntimeError: no code" in calls[0].comparison.reason


def test_without_a_fork_copies_are_called(monkeypatch):
    monkeypatch.setattr(compare, "can_fork", lambda: False)

    class Adds(nn.Module):
        def __init__(self):
            super().__init__()
            self.total = torch.zeros(3)

        def forward(self, x):
            self.total += x
            return self.total * 2

    module = Adds()
    assert statuses(module, [x, x + 1]) == ["equal"] * 2
    assert module.total.tolist() == [3.0] * 3


def test_why_nothing_could_be_compared_is_said_once(monkeypatch):
    monkeypatch.setattr(compare, "can_fork", lambda: False)
    total = torch.zeros(3)
    result = capture_calls(lambda x: x + total, backend="aot_eager", compare=True)([x, x])
    assert str(result).count("not compared with eager mode: the eager run: a function holds total") == 1
    assert "2 calls: compile 1, hit 1\n" in summary.calls(result)
