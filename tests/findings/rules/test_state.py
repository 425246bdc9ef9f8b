"""Hooks that don't run, copies with the original's code, and distributions that are not checked."""

from dataclasses import replace
from typing import Any

import pytest

from compile_lessons.facts.run import (
    AddedHook,
    Compile,
    CopiedCode,
    GraphBreak,
    Process,
    Region,
    Run,
    UncheckedDistribution,
)
from compile_lessons.facts.source import Location
from compile_lessons.findings.rules.copies import copied_code
from compile_lessons.findings.rules.distributions import unchecked_distributions
from compile_lessons.findings.rules.hooks import unseen_hooks
from facts_of_runs import span

CODE, LINE = Location(file="/work/model.py", line=5), Location(file="/work/train.py", line=9)
COMPILE = Compile(id="0/0", code=CODE, name="forward", outcome="compiled", region=1, operations=3, start=1.0)
HOOK = AddedHook(region=1, kind="register_forward_hook", module="Net.layer", stack=(LINE,), time=5.0)
SPAN = span(6.0, 7.0, seconds=1.0)
BREAK = GraphBreak(compile="0/0", gb_type="", gb_id=None, stack=(CODE,))


def process(**changed: Any) -> Process:
    region = Region(id=1, function="forward", module="Net", code=CODE, stack=(CODE,))
    usual = Process(pid=1, regions=(region,), compiles=(COMPILE,), spans=(SPAN,), hooks=(HOOK,))
    return replace(usual, **changed)


def test_a_hook_after_the_compile_is_a_finding_at_its_line() -> None:
    (found,) = unseen_hooks(Run(processes=(process(),)))
    assert found.what == "a hook of Net.layer doesn't run: it was registered after Net.forward was compiled"
    assert found.where[0] == LINE and "1 call of Net.forward after it" in found.evidence[0]


@pytest.mark.parametrize(
    "changed",
    [
        {"compiles": (COMPILE, replace(COMPILE, id="0/1", start=6.0))},  # with the hook
        {"compiles": (replace(COMPILE, start=6.0),)},
        {"compiles": (replace(COMPILE, operations=0),)},
        {"compiles": (replace(COMPILE, outcome="skipped"),)},
        {"compiles": ()},
        {"spans": (replace(SPAN, since=1.0, end=2.0),)},
        {"breaks": (BREAK,)},
        {"breaks_seen": False},
    ],
)
def test_a_hook_that_may_run_is_none(changed: dict[str, Any]) -> None:
    assert list(unseen_hooks(Run(processes=(process(**changed),)))) == []


def test_a_copy_is_advice_as_it_may_never_be_called() -> None:
    copied = process(copies=(CopiedCode(module="Net", attribute="forward", stack=(LINE,)),))
    (found,) = copied_code(Run(processes=(copied,)))
    assert (found.severity, found.where) == ("advice", (LINE,))


def test_invalid_parameters_are_a_finding_with_torchs_words() -> None:
    message = "Expected parameter scale (Tensor of shape ()) of distribution Normal(loc: 0.0) to satisfy"
    made = UncheckedDistribution(distribution="Normal", message=message, stack=(LINE,))
    (found,) = unchecked_distributions(Run(processes=(process(unchecked=(made,)),)))
    assert found.where == (LINE,) and found.evidence[0].endswith("Expected parameter scale (Tensor of shape ())")
