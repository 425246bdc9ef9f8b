"""An exception is one finding, whoever raised it how often, and leads to the section about its message."""

import torch

from compile_lessons import capture, capture_calls
from compile_lessons.facts import StageFailure
from compile_lessons.findings.rules import FAILED, findings_of
from compile_lessons.findings.rules.failures import exceptions


@torch.library.custom_op("compile_lessons_tests::clip", mutates_args=())
def clip(x: torch.Tensor) -> torch.Tensor:
    return x.clamp(0, 1)


def clipped(x):
    return clip(x * 2) + 1


SECTION = "fix/crashes#no-fake-function"


def test_the_reason_is_whole_and_has_a_lesson() -> None:
    [found] = exceptions(capture(clipped, until="dynamo")(torch.ones(4)))
    assert found.rule in FAILED and found.lesson == SECTION and "register_fake" in found.remedy
    assert [line.text for line in found.where] == ["return clip(x * 2) + 1"]
    said = " ".join(found.evidence)
    assert "There was no fake impl registered" in said and "clip.register_fake" in said
    for added in ("Developer debug context", "For more details"):
        assert added not in said


def test_the_same_exception_in_several_calls_is_one_finding() -> None:
    calls = capture_calls(clipped, backend="eager")([torch.ones(4), torch.ones(5), torch.ones(6)])
    assert len([call for call in calls.calls if call.error]) == 3
    assert len(list(exceptions(calls))) == 1
    calls = capture_calls(clipped, backend="eager")([torch.ones(4)] * 3)
    text = " ".join(str(calls).split())
    assert text.count("There was no fake impl registered") == 1 and "calls 0, 1, 2, error" in text


def test_what_eager_mode_raises_too_is_no_matter_of_the_compiler() -> None:
    pipeline = capture(torch.matmul, compare=True)(torch.ones(3, 4), torch.ones(3, 4))
    [found] = findings_of(pipeline)
    assert found.rule == "exception" and found.what.startswith("eager failed") and not found.lesson


def test_an_exception_of_the_user_s_own_has_no_lesson() -> None:
    failure = StageFailure(stage="compiled call", type="ValueError", message="no header", location=None)
    pipeline = capture(torch.relu, until="dynamo")(torch.ones(2))
    [found] = exceptions(pipeline.__class__(**{**vars(pipeline), "failures": (failure,)}))
    assert found.what == "compiled call failed: ValueError: no header" and found.remedy == found.lesson == ""
