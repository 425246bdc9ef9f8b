"""Requests that waited for a compile, after the program had begun its steady work."""

from collections import defaultdict
from collections.abc import Iterator, Sequence

from compile_lessons.facts.run import Run
from compile_lessons.findings.catalogue import Fix, fix, together
from compile_lessons.findings.finding import Finding, finding
from compile_lessons.findings.late import QUIET, LateCall, late_calls
from compile_lessons.findings.rules.recompiles import is_frequent
from compile_lessons.findings.rules.settings import explained_by_settings
from compile_lessons.findings.uses import by_use, is_mask
from compile_lessons.ground.words import counted, rough_duration

#: Late calls that are told one by one.
_TOLD = 4
#: Without a warm-up, less time, in seconds and as a share of the run, is not worth a change.
_COSTLY, _SHARE = 1.0, 0.02


def late_compiles(run: Run) -> Iterator[Finding]:
    """Yield a finding for each use of torch.compile. It is advice where the program may have had no warm-up."""
    for process in run.processes:
        by_use: dict[int, list[LateCall]] = defaultdict(list)
        told = [item for compiles in process.functions() for item in explained_by_settings(compiles)]
        for call in late_calls(process):
            # What a setting or a frequent cause triggers has a finding.
            if not all(item in told or is_frequent(process, item, run) for item in call.compiles):
                by_use[call.region.id].append(call)
        for same in by_use.values():
            warmed = any(call.after_warm_up for call in same)
            if warmed or sum(call.seconds for call in same) >= max(_COSTLY, _SHARE * run.seconds):
                yield _finding(same, warmed)


def _finding(same: Sequence[LateCall], warmed: bool) -> Finding:
    first = same[0]
    since = "the warm-up" if warmed else f"{QUIET} calls or more without a compile"
    more = len(same) - _TOLD
    return finding(
        _fix(same),
        f"{counted(len(same), 'call')} of {first.region.name} waited for a compile after {since}",
        advice=not warmed,
        seconds=sum(call.seconds for call in same),
        where=(*(call.compiles[0].call_line for call in same), first.warm_up.call_line, first.region.use),
        evidence=(*map(_told, same[:_TOLD]), f"{more} more" if more > 0 else ""),
    )


def _fix(same: Sequence[LateCall]) -> Fix:
    """Return what the warm-up needs, for each kind of what it lacked."""
    fixes = {}
    for call in same:
        guard = by_use(call.guard, call.guard.at) if call.guard else None
        names = {"source": guard.source, "remedy": guard.remedy} if guard else {}
        for kind in call.lacked:
            mode = call.warm_up.mode if kind == "grad" else call.compiles[0].mode
            cause = "static-size" if kind == "size" and call.region.dynamic is False else kind
            cause = "mask" if kind == "value" and guard and is_mask(guard) else cause
            fixes[kind] = fix("late-compile", cause, mode=mode, **names)
    return together(fixes.values())


def _told(call: LateCall) -> str:
    item = call.compiles[0]
    number = f"call {call.number}" if call.number else "a call"
    where = "" if item.main_thread else f" in thread {item.thread}"
    return f"{number}{where} took {rough_duration(call.seconds)}: {' and '.join(call.lacked.values())}"
