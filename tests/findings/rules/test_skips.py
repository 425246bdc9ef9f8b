"""Functions that are skipped, by reason; a limit that one call reaches is a failure."""

from typing import Any

import torch

from compile_lessons import capture
from compile_lessons.facts import Location
from compile_lessons.facts.run import Compile, Process, Run
from compile_lessons.findings.rules import FAILED, findings_of


def printing(x):
    for i in range(2):
        print(i)
    return x + 1


def test_a_function_with_a_break_in_a_loop_is_skipped() -> None:
    [found] = findings_of(capture(printing, until="dynamo")(torch.ones(2)))
    assert found.rule == "skipped" and found.rule not in FAILED
    assert found.what == "printing runs in eager mode as a whole"
    assert found.evidence[0].startswith("a graph break where Dynamo can't split the function, as in a loop")
    line = printing.__code__.co_firstlineno
    assert [place.line for place in found.where] == [line + 2, line]
    assert found.remedy == "move what breaks the graph out of the loop"


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

    limit, skipped = findings_of(capture(many, until="dynamo")(torch.ones(2)))
    assert limit.rule in FAILED and "recompile_limit=" in limit.remedy
    assert limit.what.startswith("Counter.forward reached its limit") and skipped.rule == "skipped"


def test_a_rest_without_an_operation_is_no_finding_where_torch_says_nothing() -> None:
    """As torch 2.11 has it for ``return y, time.perf_counter() - began``: skipped, without a reason."""

    def rules(**about: Any) -> list[str]:
        place = Location(file="/work/clock.py", line=12, function="torch_dynamo_resume_in_forward_at_12")
        rest = Compile(id="2/0", frame=2, code=place, name=place.function, outcome="skipped", **about)
        return [found.rule for found in findings_of(Run(processes=(Process(pid=1, compiles=(rest,)),)))]

    assert rules() == [] and rules(reason="No ops traced for the FX graph.") == []
    assert rules(reason="Unsupported: Failed to trace builtin operator") == ["skipped"]


def test_frames_without_tensors_beside_graphs_are_left_out() -> None:
    assert findings_of(capture(torch.relu, until="dynamo")(torch.ones(2))) == []
