"""Weights that are not loaded, or not found, as the names of ``torch.compile(module)`` begin with ``_orig_mod.``."""

from collections.abc import Iterator

from compile_lessons.facts.run import Region, Run
from compile_lessons.facts.source import is_user_file
from compile_lessons.findings.catalogue import fix
from compile_lessons.findings.compared import different_lines
from compile_lessons.findings.finding import Finding, finding
from compile_lessons.findings.syntax import names_in
from compile_lessons.ground.words import counted

#: What gives the names of parameters.
_NAMES = ("named_parameters", "named_buffers", "state_dict", "named_modules")


def ignored_names(run: Run) -> Iterator[Finding]:
    """Yield a finding for each line that loads weights and drops names of the wrapper: nothing raises."""
    for process in run.processes:
        for found in process.ignored_names:
            names = f"{found.ignored} of {counted(found.given, 'name')}"
            yield finding(
                fix("ignored-names"),
                f"load_state_dict ignored {names}: these weights are not loaded",
                where=(found.line,),
                evidence=(f"one of the names is {found.example}", "strict=False hides it"),
            )


def looks_up_names(run: Run) -> bool:
    """Return whether a program has a wrapper, and its text something that has the wrapper's names."""
    files = {line.file for region in _wrappers(run) for line in region.stack}
    return any(name.endswith(_NAMES) for file in files if is_user_file(file) for name in names_in(file))


def _wrappers(run: Run) -> list[Region]:
    regions = (region for process in run.processes for region in process.regions)
    return [region for region in regions if region.module and not region.in_place and not region.disabled]


def lookups_that_fail(run: Run) -> Iterator[Finding]:
    """Yield a finding where a program prints something else without torch.compile, and the same in eager mode: its
    operations aren't the cause."""
    if run.eager is None or run.plain is None or run.plain.status:
        return
    if any("OptimizedModule" in line for process in run.eager.processes for line in process.printed):
        return  # the wrapper itself is printed
    for found in different_lines(run.eager, run.plain):
        yield finding(
            fix("ignored-names", "looked-up"),
            f"the module that torch.compile returns changes what the program prints, in {found.number} of "
            f"{counted(found.lines, 'line')}",
            where=(region.use for region in _wrappers(run)),
            evidence=(
                f"with it, {found.line}; without torch.compile, {found.eager}",
                "names of its parameters begin with _orig_mod., which code that looks them up by name doesn't find",
            ),
        )
