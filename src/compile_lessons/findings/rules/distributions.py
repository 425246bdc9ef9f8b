"""Distributions with invalid parameters, which torch doesn't check once torch.compile was used."""

from collections.abc import Iterator

from compile_lessons.facts.run import Run
from compile_lessons.findings.catalogue import fix
from compile_lessons.findings.finding import Finding, finding
from compile_lessons.ground.words import shorten


def unchecked_distributions(run: Run) -> Iterator[Finding]:
    """Yield a finding for each line: without torch.compile it raises ``ValueError``."""
    for process in run.processes:
        for found in process.unchecked:
            message = found.message.partition(" of distribution")[0]
            yield finding(
                fix("unchecked-distribution"),
                f"{found.distribution} gets invalid parameters, and raises no error: torch.compile has turned the "
                "check off",
                where=(found.line,),
                evidence=(
                    f"without torch.compile, ValueError: {shorten(message, 120)}",
                    "torch.compile turns it off for all distributions of the process",
                ),
            )
