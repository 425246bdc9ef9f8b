"""Functions that are skipped, by reason; a limit that one call reaches is a failure."""

from __future__ import annotations

import torch

from compile_lessons import capture
from compile_lessons.findings.rules_of_compile import FAILED
from compile_lessons.findings.rules_of_compile.skips import skipped_frames


def printing(x):
    for i in range(2):
        print(i)
    return x + 1


def test_a_function_with_a_break_in_a_loop_is_skipped() -> None:
    [found] = skipped_frames(capture(printing, until="dynamo")(torch.ones(2)))
    assert found.what.startswith("skipped printing: ") and found.rule not in FAILED
    assert [(line.line) for line in found.where] == [printing.__code__.co_firstlineno]


def test_a_limit_that_one_call_reaches_is_a_failure() -> None:
    def by_length(x, text):
        return x + len(text) if text.startswith("a") else x

    @torch._dynamo.disable(recursive=False)
    def all_of(x):
        return sum(by_length(x, "a" * n) for n in range(12))

    pipeline = capture(all_of, until="dynamo")(torch.ones(2))
    rules = {found.rule for found in skipped_frames(pipeline)}
    assert "recompile-limit" in rules, pipeline.skips


def test_frames_without_tensors_beside_graphs_are_left_out() -> None:
    assert list(skipped_frames(capture(torch.relu, until="dynamo")(torch.ones(2)))) == []
