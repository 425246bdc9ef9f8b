"""Warnings of torch's about code that it compiled."""

from collections.abc import Iterator

from compile_lessons.facts.run import Run
from compile_lessons.findings.catalogue import explain_message
from compile_lessons.findings.finding import Finding, finding
from compile_lessons.ground.words import shorten


def warnings_of_torch(run: Run) -> Iterator[Finding]:
    """Yield advice for each warning that the catalogue has a remedy for, and that no other rule tells of."""
    for process in run.processes:
        for message in process.messages:
            entry = explain_message(message.text) if message.warning else None
            if entry is not None and entry.warning:
                yield finding(
                    entry.fix("torch-warns"),
                    f"torch warns: {shorten(message.text, 160)}",
                    advice=True,
                    where=(message.line,),
                )
