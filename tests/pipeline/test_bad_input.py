"""Bad input: a clear message with the user's line, and what was captured before is kept."""

import json
import sys

import pytest
import torch
from torch import nn
from torch.testing._internal.two_tensor import TwoTensor

from compile_lessons import capture
from compile_lessons.facts import Pipeline, StageFailure
from compile_lessons.facts.part import SCHEMA
from compile_lessons.pipeline.checks import CaptureError
from compile_lessons.reports.summary import summary


def doubled(x):
    return x * 2


def raises(x):
    y = x + 1
    torch._dynamo.graph_break()
    raise ValueError(f"no good: {y.shape[0]}")


def needs_two(x, y):
    return x + y


@pytest.mark.parametrize(
    ("fn", "args", "message"),
    [
        (3, (), "3 is not callable"),
        (
            torch.compile(doubled),
            (),
            r"doubled is already compiled: pass .* doubled at .*test_bad_input\.py:\d+, its attribute __wrapped__",
        ),
        (torch.compile(nn.Linear(2, 2)), (), "already compiled"),
        (needs_two, (1,), r"needs_two\(x, y\) does not take these inputs: missing a required argument: 'y' .*\.py:\d+"),
    ],
)
def test_what_can_not_be_compiled_is_refused(fn, args, message):
    with pytest.raises(CaptureError, match=message):
        capture(fn)(*args)


def test_compiled_in_place():
    module = nn.Linear(2, 2)
    module.compile()
    with pytest.raises(CaptureError, match="compiled in place"):
        capture(module)


def test_unknown_target_and_backward():
    with pytest.raises(CaptureError, match="target 'tpu' is not known"):
        capture(doubled, target="tpu")
    with pytest.raises(CaptureError, match="backward must be"):
        capture(doubled, backward="sometimes")
    with pytest.raises(CaptureError, match="until must be one of 'dynamo', 'aot', 'inductor'"):
        capture(doubled, until="triton")


def test_an_exception_in_the_function_keeps_the_graph_before_it():
    pipeline = capture(raises, compare=True)(torch.ones(3))
    assert len(pipeline.graphs) == 1 and pipeline.graphs[0].kernels
    assert {failure.type for failure in pipeline.failures} == {"ValueError"}
    assert {failure.location.text for failure in pipeline.failures} == {'raise ValueError(f"no good: {y.shape[0]}")'}
    assert pipeline.comparison.status == "not compared"
    assert "raise ValueError" in str(pipeline)
    assert Pipeline.from_json(pipeline.to_json()) == pipeline


def test_a_break_under_fullgraph():
    def broken(x):
        torch._dynamo.graph_break()
        return x

    pipeline = capture(broken, fullgraph=True)(torch.ones(3))
    assert [failure.stage for failure in pipeline.failures] == ["dynamo"]
    assert [found.gb_id for found in pipeline.breaks] == ["GB0025"]


def test_no_tensors_and_no_torch():
    pipeline = capture(lambda a, b: a + b, compare=True)(1, 2)
    assert pipeline.graphs == () and pipeline.failures == ()
    assert pipeline.comparison.status == "equal"
    assert pipeline.skips and all(skip.reason for skip in pipeline.skips)

    def no_torch(x):
        return [len(x.shape)]

    untouched = capture(no_torch)(torch.ones(2))
    assert untouched.graphs == () and untouched.skips


def test_a_crash_of_the_backend_keeps_everything_above_it(monkeypatch):
    import torch._inductor.graph

    def crash(self):
        raise RuntimeError("no code today")

    monkeypatch.setattr(torch._inductor.graph.GraphLowering, "codegen", crash)
    pipeline = capture(doubled)(torch.ones(3, requires_grad=True))
    assert [failure.stage for failure in pipeline.failures] == ["inductor"]
    graph = pipeline.graphs[0]
    assert graph.dynamo.calls and graph.joint.calls and graph.forward.calls and graph.backward.calls
    assert {found.stage for found in graph.missing} == {"inductor forward", "inductor backward"}
    assert all("InductorError" in found.reason for found in graph.missing)


def test_without_a_compiler_the_stages_up_to_aten_are_there(monkeypatch, tmp_path):
    def two_graphs(x):
        y = x.sin() * 2
        torch._dynamo.graph_break()
        return y.cos()

    monkeypatch.setenv("TORCHINDUCTOR_CACHE_DIR", str(tmp_path))
    # What CXX=no-such-compiler makes of it, when torch is imported.
    with torch._inductor.config.patch({"cpp.cxx": (None, "no-such-compiler")}):
        pipeline = capture(two_graphs, compare=True)(torch.ones(3, requires_grad=True))
    assert len(pipeline.graphs) == 2
    for graph in pipeline.graphs:
        assert graph.dynamo.calls and graph.joint.calls and graph.forward.calls and graph.backward.calls
        assert {missing.stage for missing in graph.missing} == {"inductor forward", "inductor backward"}, graph.missing
        assert all("No working C++ compiler" in missing.reason for missing in graph.missing)
    assert pipeline.comparison.status == "not compared"
    assert "CXX" in str(pipeline)
    assert "compiler" in f"{pipeline.failures[0].type} {pipeline.failures[0].message}".lower()


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("[]", "schema None"),
        ('{"schema": 99}', "schema 99"),
        (f'{{"schema": {SCHEMA}}}', "missing required field `function`"),
        ("nonsense", "Expecting value"),
    ],
)
def test_json_of_something_else(text, message):
    with pytest.raises(ValueError, match=message):
        Pipeline.from_json(text)


def test_json_with_a_wrong_type():
    text = json.dumps(json.loads(capture(lambda a: a)(1).to_json()) | {"frames": 3})
    with pytest.raises(ValueError, match=r"Expected `array`, got `int` - at `\$\.frames`"):
        Pipeline.from_json(text)


async def coroutine(x):
    return x


@pytest.mark.parametrize(
    ("fn", "message"),
    [(nn.Linear, "Linear is a class: pass an instance"), (coroutine, "coroutine is a coroutine function")],
)
def test_what_dynamo_would_not_compile_is_refused(fn, message):
    with pytest.raises(CaptureError, match=message):
        capture(fn)
    nn.Linear(2, 2).compile()  # torch.compile of a class would have changed the class


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"mode": "fastest"}, "mode 'fastest' is not known; known modes: default"),
        ({"options": {"max_autotun": True}}, "no option 'max_autotun'; did you mean max_autotune"),
        ({"mode": "default", "options": {"max_autotune": True}}, "mode or options, not both"),
    ],
)
def test_unknown_settings(settings, message):
    with pytest.raises(CaptureError, match=message):
        capture(doubled, **settings)


def test_a_disabled_function_given_directly_is_compiled_as_torch_does():
    pipeline = capture(torch.compiler.disable(doubled))(torch.ones(3))
    assert len(pipeline.graphs) == 1


def test_the_variable_that_turns_dynamo_off_is_named(monkeypatch):
    monkeypatch.setenv("TORCHDYNAMO_DISABLE", "1")
    (skip,) = capture(doubled)(torch.ones(2)).skips
    assert skip.reason == "the environment variable TORCHDYNAMO_DISABLE turns Dynamo off: unset it"


def test_a_stance_that_keeps_everything_eager_is_named():
    with torch.compiler.set_stance("force_eager"):
        pipeline = capture(doubled)(torch.ones(3))
    assert pipeline.frames == ()
    assert [(skip.function, skip.reason) for skip in pipeline.skips] == [
        ("doubled", "torch.compiler's stance is 'force_eager'")
    ]


def test_shapes_that_do_not_match_have_the_user_s_line_and_no_log(capfd):
    def product(x):
        y = x.sin()
        return y @ x

    pipeline = capture(product)(torch.ones(3, 4))
    assert {failure.location.text for failure in pipeline.failures} == {"return y @ x"}
    assert all("TORCHDYNAMO_VERBOSE" not in failure.message for failure in pipeline.failures)
    assert capfd.readouterr().err == ""


def test_the_function_ends_the_process():
    def leaves(x):
        y = x + 1
        torch._dynamo.graph_break()
        sys.exit(y.shape[0])

    pipeline = capture(leaves)(torch.ones(3))
    assert {(failure.type, failure.message) for failure in pipeline.failures} == {("SystemExit", "3")}
    assert len(pipeline.graphs) == 1


def test_a_break_raised_again_is_one():
    def after(x):
        y = x.sin()
        torch._dynamo.graph_break()
        y = y.cos()
        raise KeyError("k")

    pipeline = capture(after)(torch.ones(3))
    assert [found.gb_type for found in pipeline.breaks] == [
        "Call to `torch._dynamo.graph_break()`",
        "Observed exception",
    ]


def test_a_lowering_that_crashes_has_the_user_s_line(monkeypatch):
    from torch._inductor.lowering import lowerings

    def crash(*args, **kwargs):
        raise RuntimeError("no lowering today")

    def angle(x):
        y = x + 1
        return torch.atan2(y, x)

    monkeypatch.setitem(lowerings, torch.ops.aten.atan2.default, crash)
    pipeline = capture(angle)(torch.ones(3))
    assert [(failure.stage, failure.location.text) for failure in pipeline.failures] == [
        ("inductor", "return torch.atan2(y, x)")
    ]
    assert "no lowering today" in pipeline.graphs[0].missing[-1].reason


@torch.library.custom_op("bad_input::scaled", mutates_args=())
def scaled(x: torch.Tensor) -> torch.Tensor:
    return x * 2


@scaled.register_fake
def _(x):
    return torch.empty_like(x)


def no_gradient(ctx, grad):
    raise ValueError("no gradient today")


scaled.register_autograd(no_gradient)


def test_an_error_of_aotautograd_has_its_reason_its_stage_and_the_user_s_line():
    def uses_it(x):
        y = scaled(x)
        return y + 1

    pipeline = capture(uses_it, until="aot", backward=False)(torch.ones(3, requires_grad=True))
    (failure,) = pipeline.failures
    assert (failure.stage, failure.type, failure.message) == ("aot", "ValueError", "no gradient today")
    assert failure.location.text == 'raise ValueError("no gradient today")'
    assert {found.reason for found in pipeline.graphs[0].missing} == {"ValueError in aot: no gradient today"}


class Unprintable(Exception):
    def __str__(self):
        raise RuntimeError("no text")


def test_an_exception_that_can_not_be_printed():
    def fails(x):
        y = x + 1
        torch._dynamo.graph_break()
        raise Unprintable(y)

    pipeline = capture(fails, compare=True, until="dynamo")(torch.ones(3))
    assert {(failure.type, failure.message) for failure in pipeline.failures} == {
        ("Unprintable", "(its __str__ raised RuntimeError)")
    }
    assert {failure.location.text for failure in pipeline.failures} == {"raise Unprintable(y)"}


@torch.library.custom_op("lessons::without_a_fake", mutates_args=())
def without_a_fake(x: torch.Tensor) -> torch.Tensor:
    return x * 2


def calls_an_operator_without_a_fake_implementation_on_a_line_of_more_than_a_hundred_columns(x):
    return torch.relu(without_a_fake(x)) + torch.nn.functional.softplus(x) + torch.nn.functional.silu(x) + x


def test_reason_line_and_remedy_of_a_failure_are_whole():
    fn = calls_an_operator_without_a_fake_implementation_on_a_line_of_more_than_a_hundred_columns
    pipeline = capture(fn)(torch.ones(2))
    for text in (str(pipeline.failures[0]), summary(pipeline)):
        words = " ".join(text.split())
        assert "RuntimeError('There was no fake impl registered for <CustomOpDef(lessons::without_a_fake)>" in words
        assert "Please use `without_a_fake.register_fake` to add an fake impl." in words
        assert "torch.nn.functional.softplus(x) + torch.nn.functional.silu(x) + x" in words
        assert "Developer debug context" not in words and "For more details" not in words
        assert max(map(len, text.splitlines())) <= 100
    assert "…" not in str(pipeline.failures[0])


def test_the_headline_of_a_failed_stage():
    def headline(fn, x, **settings):
        return summary(capture(fn, **settings)(x)).splitlines()[0].partition(": ")[2]

    assert headline(without_a_fake, torch.ones(2)) == "dynamo failed; Dynamo made no graph"
    made = "compiled call failed; Dynamo made 1 graph, 2 graph breaks"
    assert headline(raises, torch.ones(2), until="dynamo") == made


def test_remedies_of_a_long_failure_are_kept():
    lines = [*map(str, range(30)), "Hint: turn it off", "Fix: install it"]
    text = str(StageFailure(stage="dynamo", type="Error", message="\n".join(lines), location=None))
    assert "Hint: turn it off\nFix: install it" in text and "… 22 more lines" in text


def test_an_operator_without_a_kernel_is_said_in_a_sentence():
    message = "Could not run 'a::b' with arguments from the 'CPU' backend."
    rest = (
        " This could be because the operator doesn't exist for this backend, or was omitted during\n\nMeta: registered"
    )

    def missing(x):
        raise NotImplementedError(message + rest)

    (failure,) = capture(missing, until="dynamo")(torch.ones(2)).failures
    assert failure.message == message


def test_a_result_that_is_a_tensor_of_tensors_is_differentiated():
    x = TwoTensor(torch.ones(2), torch.ones(2)).requires_grad_()
    pipeline = capture(torch.sin, until="aot")(x)
    assert pipeline.failures == ()
    assert pipeline.graphs[0].backward is not None
