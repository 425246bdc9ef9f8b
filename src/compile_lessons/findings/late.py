"""Calls that compiled after a program had begun its steady work, so that a request waited for a compile."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from compile_lessons.facts.run import Compile, Process, Region, Span
from compile_lessons.findings.guards import FailedGuard, most_telling

#: Calls without a compile after which a function is in its steady work.
QUIET = 5
#: Less time, in seconds, is no wait to tell of, nor is a smaller multiple of a call without a compile.
_LEAST, _RATIO = 0.1, 3
#: Names of functions that warm something up.
_WARM = re.compile(r"warm|start_?up|preheat|pre_?compile", re.IGNORECASE)
#: Causes that tell apart training and evaluation, which need a version each.
_MODES = ("grad_mode", "training", "requires_grad")


@dataclass(frozen=True, kw_only=True)
class LateCall:
    """One call, with what it compiled."""

    region: Region
    compiles: tuple[Compile, ...]
    #: The first compile of the function before it.
    warm_up: Compile
    #: How long the call took.
    seconds: float
    #: What the calls before lacked: ``mode``, ``grad``, ``size``, ``state``, ``value`` or ``path``, each in words.
    lacked: dict[str, str]
    guard: FailedGuard | None = None
    #: Its number among all calls of the region, in all threads; ``None`` if it is not known.
    number: int | None = None
    #: Whether the calls before were a warm-up: under another mode, in the main thread, or in a function that is named
    #: so, and this one is not.
    after_warm_up: bool = False

    @property
    def start(self) -> float:
        return self.compiles[0].start


def late_calls(process: Process) -> list[LateCall]:
    """Return the late calls of a process in their order."""
    calls = [call for region in process.regions for call in _of_region(process, region)]
    return sorted(calls, key=lambda call: call.start)


def _of_region(process: Process, region: Region) -> list[LateCall]:
    spans = process.spans_of(region)
    by_call: dict[tuple[str, int | None], list[Compile]] = {}
    for item in process.compiles:
        if item.region == region.id and item.outcome in ("compiled", "limit") and not item.nested:
            by_call.setdefault((item.thread, item.call), []).append(item)
    warm: list[Compile] = []
    late: list[LateCall] = []
    for compiles in by_call.values():
        found = _late(process, region, spans, warm, late, compiles) if warm else None
        if found is None:
            warm += compiles
        else:
            late.append(found)
    steady = [span for span in spans if not span.compiling]
    a_call = sum(span.seconds for span in steady) / max(1, sum(span.calls for span in steady))
    return [call for call in late if call.seconds >= max(_LEAST, _RATIO * a_call)]


def _late(
    process: Process,
    region: Region,
    spans: Sequence[Span],
    warm: Sequence[Compile],
    late: Sequence[LateCall],
    compiles: Sequence[Compile],
) -> LateCall | None:
    """Return the call if it is late, after the compiles of the warm-up and the late calls before it."""
    item = compiles[0]
    before = [other for call in late for other in call.compiles]
    guard = _guard(item, before)
    new_mode = bool(item.mode) and item.mode not in {other.mode for other in warm}
    other_thread = not item.main_thread and all(other.main_thread for other in warm)
    is_quiet = _calls_between(spans, max(other.ends for other in (*warm, *before)), item.start) >= QUIET
    of_training = guard is not None and any(word in f"{guard.cause.name} {guard.what}" for word in _MODES)
    if process.trains and (new_mode or of_training):  # evaluation, which needs a version
        return None
    from_elsewhere = all(map(_is_in_warm_up, warm)) and not _is_in_warm_up(item)
    from_it = 1 + sum(span.calls for span in spans if span.since >= item.start)
    is_work = from_it >= min(QUIET, _calls_between(spans, 0.0, item.start))  # and not one look at the results
    after_warm_up = not process.trains and ((new_mode and is_work) or other_thread or from_elsewhere)
    if not after_warm_up and not is_quiet:
        return None
    return LateCall(
        region=region,
        compiles=tuple(compiles),
        warm_up=warm[0],
        seconds=_seconds(spans, compiles),
        number=_number(spans, item),
        lacked=_lacked(item, warm, guard, new_mode),
        guard=guard,
        after_warm_up=after_warm_up,
    )


def _guard(item: Compile, late: Sequence[Compile]) -> FailedGuard | None:
    """Return the guard that says what is new. Settings that a version of the warm-up was compiled under come first."""
    if not item.guards:
        return None
    newer = sum(other.code == item.code for other in late)
    of_warm_up = item.guards[newer:] or item.guards
    read = [most_telling([check]) for check in of_warm_up]
    states = [guard for guard in read if guard.cause.name == "state" and "grad_mode" not in guard.what]
    return states[0] if states else most_telling(item.guards)


def _is_in_warm_up(item: Compile) -> bool:
    return any(_WARM.search(line.function) for line in item.stack)


def _lacked(item: Compile, warm: Sequence[Compile], guard: FailedGuard | None, new_mode: bool) -> dict[str, str]:
    """Return what the calls before lacked. A warm-up with one version had one size."""
    lacked = {}
    if new_mode and item.mode == "grad":
        lacked["grad"] = f"{warm[0].mode} was on in the warm-up"
    elif new_mode:
        lacked["mode"] = f"{item.mode} was off in the warm-up"
    same = [other for other in warm if other.code == item.code]
    if guard is None:
        return lacked or {"path": f"{item.name} had not run"}
    if guard.cause.name == "size" and (len(same) == 1 or not lacked):
        lacked["size"] = f"{guard.what} was new{guard.values}"
    elif not lacked and guard.cause.name == "state":
        lacked["state"] = f"{guard.source} had changed"
    return lacked or {"value": f"{guard.what} was new{guard.values}"}


def _calls_between(spans: Sequence[Span], start: float, end: float) -> int:
    return sum(span.calls for span in spans if start < span.end <= end and not span.compiling)


def _seconds(spans: Sequence[Span], compiles: Sequence[Compile]) -> float:
    """Return how long the call took; its compiles alone, where the collector noted several calls at once."""
    first = compiles[0].start
    alone = (span.seconds for span in spans if span.calls == 1 and span.start <= first <= span.end)
    return max([*alone, sum(item.seconds for item in compiles)])


def _number(spans: Sequence[Span], item: Compile) -> int | None:
    done = 0
    for span in spans:
        if span.calls == 1 and span.start <= item.start <= span.end:
            return done + 1
        done += span.calls
    return item.call
