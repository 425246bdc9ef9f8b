"""Compiles that take a large part of the run, and those that didn't end."""

from collections.abc import Iterable, Iterator, Sequence

import msgspec

from compile_lessons.facts.run import ENDED, Compile, Process, Run
from compile_lessons.facts.source import is_user_file
from compile_lessons.findings.catalogue import Fix, fix
from compile_lessons.findings.finding import Finding, finding
from compile_lessons.findings.guards import most_telling
from compile_lessons.findings.rules.loops import SHARE_SAVED, first_loop_over_data, saved_by_block, unrolled_loop
from compile_lessons.ground.words import counted, file_line, rough_duration, shorten

#: What a compile that doesn't end is stopped by.
STOPPED = ("KeyboardInterrupt", "SystemExit", ENDED)
#: First compiles that take such a share of the run get advice, if at least so many seconds can be saved.
_SHARE, _LEAST = 0.3, 3.0
#: Functions that are named.
_NAMED = 3
#: A shell's statuses for SIGILL, SIGABRT, SIGBUS, SIGFPE and SIGSEGV: how long the compile took is not the matter.
_CRASHED = (132, 134, 135, 136, 139)


def unfinished_compiles(run: Run) -> Iterator[Finding]:
    """Yield a finding for each compile that was under way when the program was asked to end."""
    for process in () if run.status in _CRASHED else run.processes:
        for item in process.compiles:
            if item.nested or item.outcome != "failed" or not (item.reason or "").startswith(STOPPED):
                continue
            of_library = not is_user_file(item.code.file)
            loop = None if of_library else first_loop_over_data(item.code)
            remedy = fix("unrolled-loop") if loop else fix("unfinished-compile", "library" if of_library else "any")
            yield finding(
                msgspec.structs.replace(remedy, rule="unfinished-compile"),
                f"compiling {process.name_of(item)} had taken {rough_duration(item.seconds)} and not ended when it "
                "was stopped",
                seconds=item.seconds,
                where=(loop, item.call_line if of_library else None, item.code, process.use_of(item)),
                evidence=(
                    "torch unrolls this loop into the graph, step by step" if loop else "",
                    *_before(process, item),
                ),
            )


def _before(process: Process, item: Compile) -> Iterator[str]:
    """Say why it was compiled again, and how many graph breaks there were before it."""
    if item.guards:
        guard = most_telling(item.guards)
        yield f"it is compiled again for {guard.change}"
    if lines := list(dict.fromkeys(found.stack[-1] for found in process.breaks if found.stack)):
        more = f" and {counted(len(lines) - 1, 'other line')}" if len(lines) > 1 else ""
        yield f"before it, the graph breaks in {file_line(lines[0].file, lines[0].line)}{more}"


def long_compiles(run: Run) -> Iterator[Finding]:
    """Yield advice for each process that spends a large part of the run in first compiles."""
    for process in run.processes:
        compiled = [item for item in process.compiles if item.outcome == "compiled" and not item.nested]
        first = [item for item in compiled if not item.guards and not unrolled_loop(item)]
        seconds = sum(item.all_seconds for item in first)
        saved = sum(max(_saved_by_cache(item), saved_by_block(item)) for item in first)
        if seconds < _SHARE * run.seconds or saved < max(_LEAST, SHARE_SAVED * run.seconds):
            continue
        first.sort(key=lambda item: -item.all_seconds)
        others = f" and {counted(len(first) - 1, 'other function')}" if len(first) > 1 else ""
        backward = f"its backward pass took {rough_duration(first[0].backward_seconds)} more"
        share = f"{rough_duration(seconds)}, {seconds / run.seconds:.0%} of the run"
        bypass = next((item.bypass for item in first if item.bypass), "")  # it compiles again in each process
        yield finding(
            _fix(first),
            f"the first compile of {process.name_of(first[0])}{others} took {share}",
            advice=True,
            seconds=seconds,
            where=(line for item in first[:_NAMED] for line in (item.code, process.use_of(item))),
            evidence=(
                f"AOTAutograd's cache can't hold it: {shorten(bypass, 120)}" if bypass else "",
                stages_in_words(first[0]),
                backward if first[0].backward_seconds else "",
                cache_hits(first),
            ),
        )


def _fix(first: Sequence[Compile]) -> Fix:
    """Return all that saves time: smaller graphs, and a cache."""
    by_block, by_cache = (sum(map(saved, first)) for saved in (saved_by_block, _saved_by_cache))
    cache = fix("compile-time", "cache")
    remedies = [fix("repeated-block").remedy] if by_block > by_cache / 2 else []
    if any(_saved_by_cache(item) and not item.caches for item in first):
        remedies.append(fix("compile-time", "cache-off").remedy)
    if by_cache:
        remedies.append(cache.remedy)
    return msgspec.structs.replace(cache, remedy=" and ".join(remedies))


def _saved_by_cache(item: Compile) -> float:
    """Return the seconds of stages whose results Inductor's cache keeps, if they weren't from there."""
    if "hit" in item.caches:
        return 0.0
    below = item.stages.get("AOTAutograd", 0.0) if "Inductor" in item.stages else 0.0
    return below + (item.backward_seconds if below else 0.0)


def stages_in_words(item: Compile) -> str:
    """Return the seconds of each stage without those inside it: AOTAutograd runs in Dynamo, Inductor in AOTAutograd."""
    order = ("Dynamo", "AOTAutograd", "Inductor")
    inner = [item.stages.get(stage, 0.0) for stage in order[1:]] + [0.0]
    own = {stage: item.stages.get(stage, 0.0) - below for stage, below in zip(order, inner, strict=True)}
    return ", ".join(f"{stage} {rough_duration(seconds)}" for stage, seconds in own.items() if seconds > 0.1)


def cache_hits(compiles: Iterable[Compile]) -> str:
    """Return how many graphs came from Inductor's cache, in words; nothing if none was looked up."""
    graphs = [cache for item in compiles for cache in item.caches]
    hits = f"{graphs.count('hit')} of {counted(len(graphs), 'graph')}"
    return f"{hits} came from Inductor's cache" if graphs else ""
