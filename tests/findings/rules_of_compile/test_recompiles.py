"""Recompiles by what changed, and the limit."""

from __future__ import annotations

import torch

from compile_lessons import capture_calls
from compile_lessons.findings.rules_of_compile import FAILED, findings_of
from compile_lessons.findings.rules_of_compile.recompiles import limits, recompiles


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
    found = {item.what: item for item in recompiles(capture_calls(scaled, backend="eager")(calls))}
    size = found["1 recompile. What changes: the size of x in dimension 0"]
    number = found["1 recompile. What changes: n, a Python value"]
    assert size.evidence == ("2 → 3",) and "mark_dynamic" in size.remedy
    assert number.remedy == "pass n as a tensor"


def test_the_limit_is_a_failure() -> None:
    result = capture_calls(Counter(), backend="eager")([torch.ones(2)] * 10)
    assert [call.outcome for call in result.calls].count("eager") == 2
    [found] = limits(result)
    assert found.rule in FAILED and found.what.startswith("2 calls ran in eager mode, from call 8 on")
    [cause] = recompiles(result)
    assert cause.what == "7 recompiles. What changes: the attribute self.steps, a Python number"
    assert cause.evidence == ("0 → 1 → 2 → … → 7",)


def test_hits_have_no_findings() -> None:
    assert findings_of(capture_calls(torch.relu, backend="eager")([torch.ones(2)] * 2)) == []
