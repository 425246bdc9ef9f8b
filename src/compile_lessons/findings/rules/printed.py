"""What a program prints, compared with what its second run prints, in eager mode."""

from collections.abc import Iterator

from compile_lessons.facts.run import Run
from compile_lessons.findings.catalogue import fix
from compile_lessons.findings.compared import different_lines, first_difference
from compile_lessons.findings.finding import Finding, finding
from compile_lessons.ground.words import counted


def different_prints(run: Run) -> Iterator[Finding]:
    """Yield advice for the first line that differs, if no sampled value explains it.

    Random numbers of compiled code are others than eager mode's, but in the run that has them too.
    """
    if run.eager is None:
        return
    compiled = run.with_roundings or run
    if run.with_roundings and first_difference(run.with_roundings, run.eager, run.moved):
        return
    for found in different_lines(compiled, run.eager):
        yield finding(
            fix("different-prints", "same-numbers" if run.with_roundings else "any"),
            f"the program prints other results than in eager mode, in {found.number} of {counted(found.lines, 'line')}",
            advice=True,
            evidence=(f"compiled: {found.line}", f"eager mode: {found.eager}"),
        )
