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


class Counter(torch.nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.steps = 0

    def forward(self, x):
        self.steps += 1
        return x * self.steps


def test_a_limit_that_one_call_reaches_is_a_failure() -> None:
    counter = Counter()

    def many(x):
        for _ in range(10):
            torch._dynamo.graph_break()  # in a loop, so this function is skipped, and each call of the module compiled
            x = counter(x)
        return x

    [found] = (found for found in skipped_frames(capture(many, until="dynamo")(torch.ones(2))) if found.rule in FAILED)
    assert found.rule == "recompile-limit" and "forward" in found.what and "recompile_limit=" in found.remedy


def test_frames_without_tensors_beside_graphs_are_left_out() -> None:
    assert list(skipped_frames(capture(torch.relu, until="dynamo")(torch.ones(2)))) == []
