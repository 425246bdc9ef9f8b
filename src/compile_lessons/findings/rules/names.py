"""Weights that are not loaded, as the names of ``torch.compile(module)`` begin with ``_orig_mod.``."""

from collections.abc import Iterator

from compile_lessons.facts.places import innermost
from compile_lessons.facts.run import Run
from compile_lessons.findings.catalogue import fix
from compile_lessons.findings.finding import Finding, finding
from compile_lessons.ground.words import counted


def ignored_names(run: Run) -> Iterator[Finding]:
    """Yield a finding for each line that loads weights and drops names of the wrapper: nothing raises."""
    for process in run.processes:
        for found in process.ignored_names:
            names = f"{found.ignored} of {counted(found.given, 'name')}"
            yield finding(
                fix("ignored-names"),
                f"load_state_dict ignored {names}: these weights are not loaded",
                where=(innermost(reversed(found.stack)),),
                evidence=(f"one of the names is {found.example}", "strict=False hides it"),
            )
