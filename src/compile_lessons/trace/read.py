"""Turn the files that the collector and ``TORCH_TRACE`` wrote into the facts of a run."""

import os
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from compile_lessons.facts import run as facts
from compile_lessons.facts.source import Location, location, undivided
from compile_lessons.ground.groups import grouped
from compile_lessons.trace import records as recorded
from compile_lessons.trace.kinds import Metrics, TracedCompile
from compile_lessons.trace.profile import read_profile
from compile_lessons.trace.structured import TracedProcess, read_traces

#: Lines of a graph that are kept.
_REPEATED = 24
#: A file of the collector's: the process, when it began, and the number of the error when it could not be written.
_COLLECTED = re.compile(r"(?P<pid>\d{1,9})-\d+(?:-(?P<error>\d{1,9}))?", re.ASCII)
#: What the collector needs of torch to count calls.
_COUNTS_CALLS = {
    "torch._dynamo.eval_frame:OptimizeContext.__call__",
    "torch._dynamo.convert_frame:CatchErrorsWrapper.__call__",
    "torch._C._dynamo.eval_frame:set_guard_complete_hook",
}


def read_run(
    folder: Path, collected: bool = False, listings: bool = False, ended: float | None = None, **about: Any
) -> facts.Run:
    """Return the facts of the run whose files are in ``folder``; ``about`` has the fields that no file tells.

    ``collected`` says that the program ran with the collector, although it may have left nothing. With ``listings``,
    compiles have their graphs, guards and code. ``ended`` is when the program ended, in seconds since the epoch;
    without it, that is the last time that one of the files was written.
    """
    unread = recorded.Unread()
    traced = read_traces(folder, unread, listings)
    ended = ended or max((_modified(path) for path in folder.rglob("*.log")), default=0.0)
    killed = about.get("status") != 0
    processes = []
    for path in sorted(folder.rglob("*.jsonl")):
        name = _COLLECTED.fullmatch(path.stem)
        if name is None or os.path.isdir(path):
            continue
        pid = int(name["pid"])
        own = next((item for item in traced if (item.pid, item.folder) == (pid, path.parent)), None)
        if own:
            traced.remove(own)
        collected = True
        records = recorded.read_collected(path)
        if name["error"]:
            records.unread.add_lost(f"not written: {os.strerror(int(name['error']))}")
        processes.append(_process(pid, records, own, path.parent, ended))
    processes += [_process(item.pid, None, item, folder, ended if killed else None) for item in traced]
    processes.sort(key=lambda process: (process.rank is None, process.rank or 0, process.start))
    if "seconds" not in about and processes:
        about["seconds"] = max(p.end for p in processes) - min(p.start for p in processes)
    lost, unknown = tuple(sorted(unread.lost.items())), tuple(sorted(unread.unknown.items()))
    return facts.Run(processes=tuple(processes), lost=lost, unknown=unknown, collected=collected, **about)


def _modified(path: Path) -> float:
    """Return when a file was last written; 0 for a link that leads nowhere."""
    try:
        return path.stat().st_mtime
    except OSError:
        return 0.0


def _process(
    pid: int, records: recorded.Collected | None, traced: TracedProcess | None, folder: Path, ended: float | None
) -> facts.Process:
    """Return a process. ``ended`` is when it ended, if it may have been killed."""
    collected = records or recorded.Collected()
    about = next(iter(collected.of(recorded.About)), None)
    torch = next(iter(collected.of(recorded.Torch)), None)
    triton = next(iter(collected.of(recorded.Triton)), None)
    generated = collected.of(recorded.Generated)
    calls = _Calls()
    for time, record in collected.records:
        if isinstance(record, recorded.CallTotals):
            calls.add(time, record)
    lost = collected.unread.lost + (traced.unread.lost if traced else Counter())
    compiles = _compiles(collected.of(recorded.Converted), traced, calls)
    if ended is not None and not lost and not collected.of(recorded.ProcessEnd):
        compiles += _unfinished(traced, ended)
    times = [time for time, _ in collected.records]
    samples = next(reversed(collected.of(recorded.ModuleSamples)), None)
    between = next(reversed(collected.of(recorded.BetweenCalls)), None)
    errors = collected.of(recorded.Error)
    rank = about.rank if about and about.rank is not None else traced.rank if traced else None
    unknown = collected.unread.unknown + (traced.unread.unknown if traced else Counter())
    told = dict.fromkeys(f"error in the collector, {error.where}: {error.message}" for error in errors)
    is_counting = not torch or not (_COUNTS_CALLS & {*torch.missing})
    return facts.Process(
        pid=pid,
        argv=about.argv if about else (),
        rank=rank,
        forked_at=about.forked_at if about else (),
        torch=torch.version if torch else traced.torch if traced else None,
        start=min([item.start for item in compiles] + times, default=0.0),
        end=max([item.ends for item in compiles] + times, default=0.0),
        regions=tuple(map(calls.add_to, collected.of(facts.Region))),
        compiles=tuple(compiles),
        breaks=tuple(_breaks(traced, compiles)) if traced else (),
        intervals=tuple(collected.of(facts.Interval)),
        messages=tuple(collected.of(facts.Message)),
        exports=tuple(collected.of(facts.Export)),
        kernels=tuple(collected.of(facts.KernelCompile)),
        searches=tuple(collected.of(facts.KernelSearch)),
        resets=tuple(collected.of(facts.Reset)),
        ignored_names=tuple(collected.of(facts.IgnoredNames)),
        hooks=tuple(replace(each, time=time) for time, each in collected.records if isinstance(each, facts.AddedHook)),
        copies=tuple(collected.of(facts.CopiedCode)),
        unchecked=tuple(collected.of(facts.UncheckedDistribution)),
        raised=tuple(_raised(collected)),
        trains=bool(collected.of(recorded.Trains)),
        modules=tuple((line, count / samples.total) for line, count in samples.lines) if samples else (),
        backward=samples.backward / samples.total if samples else 0.0,
        between=tuple((line, count / between.looked) for line, count in between.lines) if between else (),
        looked=between.looked if between else 0,
        printed=tuple(record.text for record in collected.of(recorded.Printed)),
        samples=tuple(collected.of(facts.Samples)),
        profile=next((read_profile(folder, record, generated) for record in collected.of(recorded.Profiled)), None),
        spans=tuple(sorted(calls.spans, key=lambda span: span.end)),
        peak=calls.peak,
        gpu_peak=calls.gpu_peak,
        missing=(*(torch.missing if torch else ()), *(triton.missing if triton else ()), *told),
        unknown=tuple(sorted(unknown.items())),
        lost=tuple(sorted(lost.items())),
        collected=records is not None,
        calls_seen=records is not None and is_counting and not any(error.where == "region" for error in errors),
        breaks_seen=traced is not None or not any(item.id for item in compiles),
    )


def _raised(collected: recorded.Collected) -> list[facts.Raised]:
    """Return the last record of each exception. What left compiled code and then ended the program is one exception."""
    last: dict[tuple[object, ...], facts.Raised] = {}
    for time, record in collected.records:
        if isinstance(record, facts.Raised):
            last[record.type, record.place, record.when, record.region] = replace(record, time=time)
    left = [record for record in last.values() if record.when]
    for end in (record for record in last.values() if record.ends):
        same = [record for record in left if (record.type, record.place) == (end.type, end.place)]
        if same:
            left[left.index(same[-1])] = replace(same[-1], ends=end.ends, message=end.message)
        else:
            left.append(end)
    return left


# ---------------------------------------------------------------------------------------------------- calls


@dataclass
class _Calls:
    """The calls of one process: the newest totals of each region and thread, and misses by who looked up."""

    regions: dict[tuple[int, int], Sequence[float]] = field(default_factory=dict)
    missed: dict[tuple[Any, ...], int] = field(default_factory=dict)
    spans: list[facts.Span] = field(default_factory=list)
    noted: dict[tuple[int, int], float] = field(default_factory=dict)
    lookups: dict[tuple[int | None, int], Sequence[float]] = field(default_factory=dict)
    peak: int | None = None
    gpu_peak: int | None = None

    def add(self, time: float, record: recorded.CallTotals) -> None:
        for number, *values in record.regions:
            key = number, record.who
            before = self.regions.get(key, (0, 0.0, 0.0, 0, 0.0))
            calls, seconds, compiling, _, eager = (now - old for now, old in zip(values, before, strict=True))
            if calls > 0:
                self.spans.append(
                    facts.Span(
                        region=number,
                        since=self.noted.get(key, time - seconds),
                        end=time,
                        calls=int(calls),
                        seconds=seconds,
                        compiling=compiling,
                        eager=eager,
                    )
                )
            self.regions[key] = values
            self.noted[key] = time
        self.missed |= {(record.who, *key): count for *key, count in record.missed}
        self.lookups |= {(number, record.who): values for number, *values in record.lookups}
        self.peak = self.peak if record.peak is None else record.peak
        self.gpu_peak = self.gpu_peak if record.gpu_peak is None else record.gpu_peak

    def add_to(self, region: facts.Region) -> facts.Region:
        """Return a region with its totals."""
        calls, seconds, compiling, eager, eager_seconds = _total(self.regions, region.id) or (0, 0.0, 0.0, 0, 0.0)
        guarded, guarding = _total(self.lookups, region.id) or (0, 0.0)
        return replace(
            region,
            calls=int(calls),
            seconds=seconds,
            compile_seconds=compiling,
            eager_calls=int(eager),
            eager_seconds=eager_seconds,
            guarded_calls=int(guarded),
            guard_seconds=guarding,
        )


def _total(values: dict[tuple[Any, int], Sequence[float]], region: int) -> list[float]:
    """Add up the columns of a region's rows, one for each thread."""
    rows = [row for (number, _), row in values.items() if number == region]
    return [sum(column) for column in zip(*rows, strict=True)]


# ---------------------------------------------------------------------------------------------------- compiles


def _compiles(records: list[recorded.Converted], traced: TracedProcess | None, calls: _Calls) -> list[facts.Compile]:
    """Join the collector's records with those of the trace by compile id; either alone is enough."""
    rest = dict(traced.compiles) if traced else {}
    by_id = grouped((item.id.partition("#")[0], item) for item in rest.values())
    joined = []
    for record in records:
        found = _take(by_id.get(record.compile.id, []), record.compile.start)
        joined.append(_collected(record, found, calls))
        if found:
            del rest[found.id]
    names = {item.metrics.co_name: item for item in rest.values() if item.metrics and item.metrics.co_name}
    by_frame = {item.id.partition("/")[0]: item for item in names.values()}
    alone = [_traced(item, by_frame.get(item.id.partition("/")[0])) for item in rest.values() if item.metrics]
    if records:  # the collector leaves out frames of torch's without a graph
        alone = [item for item in alone if item.operations]
    return sorted([*joined, *alone], key=lambda item: item.start)


def _take(same: list[TracedCompile], start: float) -> TracedCompile | None:
    """Take the compile that began at ``start`` out of those with one id of torch's."""
    found = min(same, key=lambda item: abs(item.start - start), default=None)
    if found:
        same.remove(found)
    return found


def _collected(record: recorded.Converted, traced: TracedCompile | None, calls: _Calls) -> facts.Compile:
    """Return what the collector has, with what only the trace has. The collector knows the new values of guards, and
    callers of repeated lines."""
    item = record.compile
    known = _facts(traced) if traced else {}
    if item.guards:
        known["guards"] = item.guards
    if record.repeated is not None:
        known["repeated"] = record.repeated
    if item.outcome == "limit" and record.key:
        known["eager_calls"] = 1 + calls.missed.get((record.who, *record.key), 0)
    if item.outcome == "skipped" and traced and traced.metrics and traced.metrics.fail_reason:
        known["reason"] = traced.metrics.fail_reason
    return replace(item, name=item.name.rpartition("<locals>.")[2], **known)


def _unfinished(traced: TracedProcess | None, ended: float) -> Iterator[facts.Compile]:
    """Yield the compile that was under way when the process was killed: the last one, without an end in the trace."""
    last = next(reversed(traced.compiles.values()), None) if traced else None
    if last is None or not last.started or last.metrics or last.began is None or not last.stack:
        return
    *callers, code = last.stack
    yield facts.Compile(
        frame=last.frame,
        number=last.number,
        code=code,
        name=code.function,
        outcome="failed",
        start=last.began,
        seconds=max(0.0, ended - last.began),
        reason=f"{facts.ENDED}: the program ended during this compile",
        stack=tuple(reversed(callers)),
        **_facts(last),
    )


def _traced(traced: TracedCompile, named: TracedCompile | None) -> facts.Compile:
    """Return a compile that only the trace tells of. The row of a frame that hit the limit has no name: take it
    from an earlier compile of the frame."""
    metrics = traced.metrics or Metrics()
    origin = metrics if metrics.co_name else (named and named.metrics) or Metrics()
    stack = traced.stack or (named.stack if named else ())
    fail = metrics.fail_reason or ""
    compiled = not fail if metrics.has_guarded_code is None else metrics.has_guarded_code
    return facts.Compile(
        frame=traced.frame,
        number=traced.number,
        code=location(origin.co_filename or "", origin.co_firstlineno or 0, origin.co_name or ""),
        name=origin.co_name or "",
        outcome="limit" if "recompile limit exceeded" in fail else "compiled" if compiled else "skipped",
        start=metrics.start_time or 0.0,
        seconds=metrics.seconds,
        reason=fail or None,
        stack=stack[-2::-1],
        **_facts(traced),
    )


def _facts(traced: TracedCompile) -> dict[str, Any]:
    """Return the facts of a compile that the trace alone has."""
    metrics, backward = traced.metrics or Metrics(), traced.backward or Metrics()
    stages = Counter[str]()
    for item in (metrics, *traced.runtime):
        stages.update(item.stages)
    every = (metrics, backward, *traced.runtime)
    return {
        "id": traced.id,
        "guards": tuple(map(facts.FailedCheck, traced.reasons or filter(None, [metrics.recompile_reason]))),
        "stages": dict(stages),
        "caches": tuple(traced.caches),
        "bypass": traced.bypass,
        "backward_seconds": backward.seconds,
        "operations": metrics.graph_op_count,
        "guard_count": metrics.guard_count,
        "guarded_line": _guarded_line(traced),
        "autotuned": traced.autotuned,
        "autotune_seconds": sum(item.autotune_seconds for item in every),
        "cuda_graph_skipped": next(filter(None, (item.cudagraph_skip_reason for item in every)), None),
        "collectives": tuple(traced.collectives),
        "matmuls": tuple(traced.matmuls),
        "constants": tuple(traced.constants.items()),
        "repeated": tuple(facts.Repeated(*item) for item in traced.lines.most_common(_REPEATED) if item[1] > 1),
        "listings": tuple(traced.listings),
        "traced": metrics.logging_seconds + backward.logging_seconds,
    }


def _guarded_line(traced: TracedCompile) -> tuple[Location, int] | None:
    """Return the line that most guards are from. Their text has the end of its path, graph and stack have all of it."""
    files = dict.fromkeys(line.file for line in (*traced.lines, *traced.stack))
    for (path, number), count in traced.guards.most_common(1):
        file = next((file for file in files if file.endswith(path)), None)
        return (location(file, number), count) if file else None
    return None


def _breaks(traced: TracedProcess, compiles: list[facts.Compile]) -> Iterator[facts.GraphBreak]:
    """Yield each break once for each compile and line: Dynamo traces a frame again after a break."""
    codes = {item.id: item.code for item in compiles}
    for entry in traced.compiles.values():
        seen = set()
        for item in entry.breaks:
            if (item.gb_type, item.stack) not in seen:
                seen.add((item.gb_type, item.stack))
                start = _frame_in(item.stack, codes.get(entry.id))
                parts = {"stack": item.stack[start:], "callers": item.stack[:start]}
                yield facts.GraphBreak(compile=entry.id, **vars(item) | parts)


def _frame_in(stack: Sequence[Location], code: Location | None) -> int:
    """Return the index of the compiled frame in a stack; the innermost line's if it isn't there."""
    if code is not None:
        names = code.function, undivided(code.function)
        for index in range(len(stack) - 1, -1, -1):
            line = stack[index]
            if os.path.basename(line.file) == os.path.basename(code.file) and line.function in names:
                return index
    return len(stack) - 1
