"""Compiles that take longer than they need to."""

from __future__ import annotations

from collections.abc import Iterator

from compile_lessons.facts.run import Run
from compile_lessons.findings.finding import Finding


def unrolled_loops(run: Run) -> Iterator[Finding]:
    """Yield a finding for each line that is in one graph many times."""
    yield from ()
