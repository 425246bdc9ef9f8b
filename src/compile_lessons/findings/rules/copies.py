"""Copies of modules whose compiled code has the weights of the original."""

from collections.abc import Iterator

from compile_lessons.facts.run import Run
from compile_lessons.findings.catalogue import fix
from compile_lessons.findings.finding import Finding, finding


def copied_code(run: Run) -> Iterator[Finding]:
    """Yield advice for each line that copies a module with a compiled method: the copy may not be called."""
    for process in run.processes:
        for found in process.copies:
            yield finding(
                fix("copied-code"),
                f"{found.attribute} of this copy of {found.module} computes with the weights of the original",
                advice=True,
                where=(found.line,),
                evidence=(
                    f"{found.attribute} is compiled code that is bound to the original, and a copy of the module "
                    "has the same",
                ),
            )
