"""Hooks of modules that compiled code doesn't run, as they were registered after it was compiled."""

from collections.abc import Iterator

from compile_lessons.facts.run import AddedHook, Process, Run
from compile_lessons.findings.catalogue import fix
from compile_lessons.findings.finding import Finding, finding
from compile_lessons.ground.words import counted


def unseen_hooks(run: Run) -> Iterator[Finding]:
    """Yield a finding for each line that registers a hook on a module inside of compiled code that runs afterwards.

    No guard is on hooks, so nothing compiles again. What a graph break divides may run a hook between its parts.
    """
    for process in run.processes:
        for hook in process.hooks:
            region = process.region(hook.region)
            calls = sum(span.calls for span in process.spans if span.region == hook.region and span.start >= hook.time)
            if region is None or not calls or not _has_whole_graph(process, hook):
                continue
            yield finding(
                fix("unseen-hook"),
                f"a hook of {hook.module} doesn't run: it was registered after {region.name} was compiled",
                where=(hook.line, region.use),
                evidence=(
                    f"{hook.kind}, and {counted(calls, 'call')} of {region.name} after it",
                    "compiled code has no guard on the hooks of modules, so it isn't compiled again",
                ),
            )


def _has_whole_graph(process: Process, hook: AddedHook) -> bool:
    """Return whether compiled code of before the hook is used after it, as one graph."""
    compiles = [item for item in process.compiles if item.region == hook.region]
    ids = {item.id for item in compiles}
    is_whole = {item.outcome for item in compiles} == {"compiled"} and any(item.operations for item in compiles)
    breaks = any(found.compile in ids for found in process.breaks)
    return is_whole and process.breaks_seen and not breaks and all(item.start < hook.time for item in compiles)
