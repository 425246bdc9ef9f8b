"""Results that differ from eager mode's."""

from __future__ import annotations

from collections.abc import Iterator

from compile_lessons.facts import Calls, EagerComparison, Pipeline
from compile_lessons.findings.finding import Finding

_LESSON = "production/wrong-results"
_REMEDY = "compare the backends eager, aot_eager and inductor: the first that differs names the part at fault"


def different_results(pipeline: Pipeline) -> Iterator[Finding]:
    """Yield a finding if the compiled results differ; nothing if the call raised."""
    comparison = pipeline.comparison
    if comparison is not None and comparison.status == "different" and not pipeline.failures:
        yield _finding("the compiled results differ from eager mode", comparison)


def different_calls(calls: Calls) -> Iterator[Finding]:
    """Yield one finding for all calls whose results differ."""
    different = [
        call
        for call in calls.calls
        if call.comparison is not None and call.comparison.status == "different" and call.error is None
    ]
    if different:
        numbers = ", ".join(str(call.index) for call in different)
        which = f"call {numbers} differs" if len(different) == 1 else f"calls {numbers} differ"
        yield _finding(f"the compiled results of {which} from eager mode", different[0].comparison)


def _finding(what: str, comparison: EagerComparison | None) -> Finding:
    """Return a finding. Where the backends were compared already, its remedy is none."""
    reason = comparison.reason if comparison is not None else ""
    is_known = comparison is not None and comparison.origin is not None
    return Finding(
        rule="different-result",
        severity="fault",
        what=what,
        evidence=(reason,) if reason else (),
        remedy="" if is_known else _REMEDY,
        lesson=_LESSON,
    )
