"""Recompiles by what changed, and the limit."""

import torch

from compile_lessons import capture_calls
from compile_lessons.findings.rules import FAILED, findings_of


class Counter(torch.nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.steps = 0

    def forward(self, x):
        self.steps += 1
        return x * self.steps


def scaled(x, n):
    return x * n if n else x


def test_one_finding_a_cause_with_its_values() -> None:
    calls = [(torch.ones(2), 1), (torch.ones(3), 1), (torch.ones(3), 2)]
    size, number = findings_of(capture_calls(scaled, backend="eager")(calls))
    assert size.what == number.what == "scaled was compiled 3 times, 1 time for this cause"
    assert size.severity == number.severity == "advice"
    assert size.evidence == ("the size of x in dimension 0: 2 → 3",) and "mark_dynamic" in size.remedy
    assert number.evidence == ("n, a Python value: 1",) and "make n a tensor" in number.remedy


def test_the_limit_is_a_failure_with_what_changes() -> None:
    result = capture_calls(Counter(), backend="eager")([torch.ones(2)] * 10)
    assert [call.outcome for call in result.calls].count("eager") == 2
    [found] = findings_of(result)
    assert found.rule in FAILED
    assert found.what == "Counter reached its limit of 8 versions and runs in eager mode since call 8: 2 of 10 calls"
    assert found.evidence == ("the attribute self.steps, a Python number: 0 → 1 → 2 → … → 7",)
    assert found.where[0].text == "self.steps += 1" and "count outside of the compiled function" in found.remedy


def test_hits_have_no_findings() -> None:
    assert findings_of(capture_calls(torch.relu, backend="eager")([torch.ones(2)] * 2)) == []
