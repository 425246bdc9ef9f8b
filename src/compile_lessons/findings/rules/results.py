"""Results that differ from eager mode's."""

from __future__ import annotations

from collections.abc import Iterator

from compile_lessons.facts import Calls, Pipeline
from compile_lessons.findings.catalogue import fix
from compile_lessons.findings.finding import Finding, finding


def different_results(captured: Pipeline | Calls) -> Iterator[Finding]:
    """Yield one finding for all results that differ, but for those of calls that raised."""
    if isinstance(captured, Calls):
        compared = [(str(call.index), call.comparison) for call in captured.calls if call.error is None]
    else:
        compared = [] if captured.failures else [("", captured.comparison)]
    different = [(index, found) for index, found in compared if found is not None and found.status == "different"]
    if not different:
        return
    numbers = ", ".join(index for index, _ in different)
    which = f" of call{'s' if len(different) > 1 else ''} {numbers}" if numbers else ""
    first = different[0][1]
    yield finding(
        fix("different-result", "compared" if first.origin else "any"),
        f"the compiled results{which} differ from eager mode",
        evidence=(first.reason,),
    )
