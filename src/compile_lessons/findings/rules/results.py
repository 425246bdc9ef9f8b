"""Results that differ from eager mode's."""

import math
from collections.abc import Iterator

import msgspec

from compile_lessons.facts import Calls, Pipeline
from compile_lessons.facts.run import Run
from compile_lessons.facts.source import is_user_file
from compile_lessons.findings.catalogue import fix, plain, silent_bugs
from compile_lessons.findings.compared import BACKENDS, Difference, different_lines, first_difference
from compile_lessons.findings.finding import Finding, finding
from compile_lessons.findings.syntax import names_in


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


def different_values(run: Run) -> Iterator[Finding]:
    """Yield a finding for the first value of the program's first calls that differs from eager mode's.

    The compiled run has the random numbers and the roundings of eager mode.
    """
    found = run.eager and run.with_roundings and first_difference(run.with_roundings, run.eager, run.moved)
    if not found or not run.eager or not run.with_roundings:
        return
    region = found.process.region(found.where.region)
    files = dict.fromkeys(line.file for line in (region.code, *region.stack) if line) if region else ()
    names = {name for file in files if is_user_file(file) for name in names_in(file)}
    backend, stage = _backend(run, run.eager)
    bugs = [bug for bug in silent_bugs(names, backend) if bug.backend]
    prints = next(different_lines(run.with_roundings, run.eager), None)
    remedy = fix("different-result", "run")
    if bugs:
        remedy = msgspec.structs.replace(remedy, remedy=plain(bugs[0].remedy), lesson=bugs[0].lesson)
    yield finding(
        remedy,
        _what(found, region.name if region else "compiled code"),
        where=(region.code, region.use) if region else (),
        evidence=(
            _distance(found),
            f"backend={backend!r} changes it: {stage}" if backend else "",
            f"this is known of torch, if the program {plain(bugs[0].symptom)}" if bugs else "",
            f"the program prints {prints.line}, in eager mode {prints.eager}" if prints else "",
        ),
    )


def _backend(run: Run, eager: Run) -> tuple[str, str]:
    """Return the first backend whose values differ, and what it adds to the one before."""
    for backend, other in run.backends:
        if first_difference(other, eager, run.moved):
            return backend, BACKENDS[backend]
    return ("inductor", BACKENDS["inductor"]) if run.backends else ("", "")


def _what(found: Difference, name: str) -> str:
    call = found.where.call
    if found.where.when == "returned":
        return f"{name} returns another {found.path} than in eager mode, in call {call}"
    if found.where.when == "changed":
        return f"{name} leaves another {found.path} behind than in eager mode, in call {call}"
    return f"backward pass {call}, through {name}, has another gradient of {found.path} than in eager mode"


def _distance(found: Difference) -> str:
    compiled, eager = found.compiled, found.eager
    if compiled is None or eager is None:
        return "there is none in eager mode" if compiled else "there is none in compiled code"
    if compiled.type != eager.type:
        return f"{compiled.type}, in eager mode {eager.type}"
    if not math.isfinite(found.share):
        return f"{compiled.not_finite} of its elements are infinite or NaN, in eager mode {eager.not_finite}"
    moved = f", and rounding moves it by {100 * found.moved:.1g}%" if found.moved is not None else ""
    return f"{compiled.type} is off by {100 * found.share:.3g}% of its size{moved}"
