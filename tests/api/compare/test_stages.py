"""Where a difference from eager mode begins: the stage, the line, the step of the stage."""

import pytest
import torch

from compile_lessons import capture, capture_calls
from compile_lessons.api.compare.stages import NOT_A_LINE, WRAPPER, Steps, smallest


def origin(fn, *args, **options):
    comparison = capture(fn, compare=True, **options)(*args).comparison
    assert comparison.status == "different"
    return comparison.origin


def doubled_when_compiled(x):
    y = x.sin()
    y = y * (2 if torch.compiler.is_compiling() else 1)
    return y + 1


def another_branch(x):
    y = x.sin()
    if torch.compiler.is_compiling():
        return y * 2
    return y * 3


class Round(torch.autograd.Function):
    @staticmethod
    def forward(x):
        return x.round()

    @staticmethod
    def setup_context(ctx, inputs, output):
        pass

    @staticmethod
    def backward(ctx, grad):
        return grad


def loss(w, x):
    y = Round.apply(w)
    return ((y * x) ** 2).sum()


def line_of(fn, number):
    return fn.__code__.co_firstlineno + number


def test_dynamo_is_named_with_the_first_line_that_differs():
    found = origin(doubled_when_compiled, torch.ones(3), until="dynamo")
    assert (found.backend, found.stage, found.step) == ("eager", "Dynamo", "")
    assert found.location.line == line_of(doubled_when_compiled, 2)


def test_a_branch_of_compiled_code_alone_is_the_line():
    found = origin(another_branch, torch.ones(3), until="dynamo")
    assert found.location.line == line_of(another_branch, 3)


def test_a_dropped_backward_has_no_line_and_that_is_said():
    arguments = torch.tensor([0.3, 1.7, -2.2]), torch.tensor([1.0, 2.0, 3.0])
    found = origin(torch.func.grad(loss), *arguments, until="dynamo")
    assert (found.backend, found.step, found.location) == ("eager", NOT_A_LINE, None)


def test_aot_autograd_is_named():
    def windows(x):
        return (x * 2).unfold(0, 2, 1)

    assert origin(windows, torch.ones(4, requires_grad=True), until="aot").backend == "aot_eager"


def test_names_of_a_compiled_module_differ_before_any_backend():
    net, ema = torch.nn.Linear(2, 2), {}
    wrapped = torch.compile(net, backend="eager")

    def step(x):
        ema.update({name: value.detach() * 2 for name, value in wrapped.named_parameters()})
        return wrapped(x)

    found = origin(step, torch.ones(1, 2), observe=True, until="dynamo")
    assert (found.backend, found.stage) == ("", WRAPPER)


def test_the_wrong_lowering_of_inductor_is_named_with_its_line(monkeypatch):
    from torch._inductor import lowering

    right = lowering.lowerings[torch.ops.aten.cos.default]
    wrong = lowering.lowerings[torch.ops.aten.sin.default]
    monkeypatch.setitem(lowering.lowerings, torch.ops.aten.cos.default, wrong)
    assert right is not wrong

    def waves(x):
        y = x.exp()
        y = y + x.cos()
        return y * x.tanh()

    found = origin(waves, torch.rand(8))
    assert (found.backend, found.step) == ("inductor", "lowering aten.cos.default")
    assert found.location.line == line_of(waves, 2)


def test_only_the_first_of_several_calls_is_traced_to_its_origin():
    calls = capture_calls(doubled_when_compiled, backend="eager", compare=True)([torch.ones(2), torch.ones(2)]).calls
    assert [call.comparison.status for call in calls] == ["different"] * 2
    assert calls[0].comparison.origin.backend == "eager" and calls[1].comparison.origin is None


@pytest.mark.parametrize("answer", range(1, 9))
def test_the_smallest_number_that_differs(answer):
    assert smallest(8, lambda number: number >= answer) == answer


def test_steps_of_another_kind_are_made():
    steps = Steps("inductor", "lowerings", 1)
    assert not steps.disabled("inductor", "post_grad_passes")
    assert not steps.disabled("inductor", "lowerings", lambda: "first")
    assert steps.disabled("inductor", "lowerings", lambda: "second")
    assert (steps.made, steps.name) == (1, "first")
