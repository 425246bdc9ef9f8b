"""Several calls, and the counters."""

import pytest
import torch
from torch._dynamo.symbolic_convert import TensorifyState

from compile_lessons import capture_calls, count_breaks, count_graphs, count_recompiles
from compile_lessons.facts import Calls
from compile_lessons.pipeline.checks import CaptureError
from zoo import several_breaks


def sine(x):
    return x.sin()


def test_second_size_makes_the_dimension_dynamic():
    calls = capture_calls(sine, backend="eager")([(torch.ones(n),) for n in (32, 64, 128, 256)])
    assert [call.outcome for call in calls.calls] == ["compile", "recompile", "hit", "hit"]
    assert "size mismatch" in calls.calls[1].failed[0]
    assert [sum(e.entries for e in call.entries) for call in calls.calls] == [1, 2, 2, 2]
    assert calls.recompiles == 1
    assert Calls.from_json(calls.to_json()) == calls
    assert max(map(len, str(calls).splitlines())) <= 100


def test_the_inductor_backend_runs():
    calls = capture_calls(sine)([torch.ones(3), ((torch.ones(3),), {})])
    assert [call.outcome for call in calls.calls] == ["compile", "hit"]


def test_the_recompile_limit_ends_in_eager():
    def by_text(x, text):
        return x + len(text)

    with torch._dynamo.config.patch(recompile_limit=2):
        calls = capture_calls(by_text, backend="eager")([(torch.ones(2), "a" * n) for n in range(1, 5)])
    assert [call.outcome for call in calls.calls] == ["compile", "recompile", "eager", "eager"]


def test_an_error_in_one_call_does_not_end_the_list():
    calls = capture_calls(lambda x, y: x @ y, backend="eager")(
        [(torch.ones(2, 2), torch.ones(3, 3)), (torch.ones(2, 2), torch.ones(2, 2))]
    )
    assert [call.outcome for call in calls.calls] == ["error", "compile"]
    assert calls.calls[0].error


def test_counters():
    x = torch.randn(4)
    assert count_graphs(several_breaks)(x) == 3
    assert count_breaks(several_breaks)(x) == 2
    assert count_recompiles(sine)([torch.ones(n) for n in (5, 6, 7)]) == 1
    bounds = [(x, 0.1), (x, 0.2), (x, 0.3)]  # AOTAutograd's guard: Dynamo alone has one version for 0.2 and 0.3
    assert count_recompiles(torch.clamp)(bounds) == 2
    with pytest.raises(CaptureError, match="a call raised"):
        count_recompiles(lambda x: x.nothing)([x])


def test_a_float_that_became_a_constant_is_forgotten_by_the_next_count():
    def scale(x, p):
        return x * p

    def drop(x, p):
        return torch.nn.functional.dropout(x, p)

    remembered = set(TensorifyState.force_specializations)
    calls = [(torch.ones(4), p) for p in (0.1, 0.2, 0.3, 0.4)]
    assert count_recompiles(drop)(calls) == 3  # the float of an argument that dropout takes is a constant
    assert TensorifyState.force_specializations == remembered
    assert count_recompiles(scale)(calls) == 1


def test_failed_guards_are_conditions_alone_and_each_call_has_its_own():
    def by_text(x, text):
        return x + len(text)

    calls = capture_calls(by_text, backend="eager")([(torch.ones(2), "a" * n) for n in (1, 2, 3)])
    assert [call.failed for call in calls.calls] == [(), ("text == 'a'",), ("text == 'aa'", "text == 'a'")]


def test_failed_guards_are_whole_whatever_their_comments_and_strings_hold():
    sizes = capture_calls(lambda x: x * x.shape[0], backend="eager")([torch.ones(n) for n in (3, 4, 1)])
    assert sizes.calls[2].failed == ("2 <= x.size()[0]", "tensor 'x' size mismatch at index 0. expected 3, actual 1")

    def by_key(x, keys):
        return x + len(keys["a#b"])  # one; two

    values = capture_calls(by_key, backend="eager")([(torch.ones(2), {"a#b": text}) for text in ("it's; #", "2")])
    assert values.calls[1].failed == ("keys['a#b'] == \"it's; #\"",)


def test_a_recompile_that_also_compiles_a_new_frame():
    def branches(x):
        if x.sum() > 0:
            return x * 2
        return x * 3

    calls = capture_calls(branches, backend="eager")([torch.ones(3), -torch.ones(2, 3)])
    assert [(call.compiles, call.recompiles) for call in calls.calls] == [(2, 0), (2, 1)]
    assert calls.recompiles == 1


def test_versions_of_the_user_s_own_compile_are_not_of_this_one():
    def own(x):
        return x.cos()

    torch.compile(own, backend="eager")(torch.ones(3))
    calls = capture_calls(own, backend="eager")([torch.ones(3), torch.ones(4)])
    assert [call.outcome for call in calls.calls] == ["compile", "recompile"]
    assert calls.calls[0].failed == ()
    assert [sum(e.entries for e in call.entries) for call in calls.calls] == [1, 2]


def test_arguments_have_no_numbers_of_tensors():
    class Batch:
        def __init__(self, x):
            self.x = x

        def __repr__(self):
            return f"Batch({self.x})"

    def first(batch):
        return batch.x + 1 if isinstance(batch, Batch) else batch[0] + 1

    x = torch.ones(2, 3)
    calls = [(Batch(x),), ([x, x],), ({0: x, "n": 2},), ((x,),)]
    arguments = [call.arguments for call in capture_calls(first, backend="eager")([(call, {}) for call in calls]).calls]
    assert arguments == [
        "<Batch>",
        "[float32[2, 3], float32[2, 3]]",
        "{0: float32[2, 3], 'n': 2}",
        "(float32[2, 3],)",
    ]
