"""Turn the files that the collector and ``TORCH_TRACE`` wrote into the facts of a run."""

from __future__ import annotations

import os
import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from compile_lessons.facts.places import location
from compile_lessons.facts.run import (
    ENDED,
    Compile,
    FailedCheck,
    GraphBreak,
    Interval,
    Listing,
    Matmul,
    Memory,
    Message,
    Process,
    Region,
    Repeated,
    Run,
    Span,
)
from compile_lessons.facts.source import Location
from compile_lessons.ground.reading import read_json
from compile_lessons.trace.profile import read_profile
from compile_lessons.trace.structured import Frame, TracedCompile, TracedProcess, read_traces

#: The stages of a compile, by the names of torch's metrics, in microseconds.
STAGES = {
    "Dynamo": "dynamo_cumulative_compile_time_us",
    "AOTAutograd": "aot_autograd_cumulative_compile_time_us",
    "Inductor": "inductor_cumulative_compile_time_us",
    "kernels": "triton_compile_time_us",  # of C++ too: the wait for all kernels to be compiled
    "autotuning": "runtime_triton_autotune_time_us",
    "cudagraphify": "runtime_cudagraphify_time_us",
}
#: Lines of a graph that are kept.
_REPEATED = 24
#: Metrics of autotuning: Inductor's at the compile, Triton's at the first run.
AUTOTUNING = ("compile_time_autotune_time_us", "runtime_triton_autotune_time_us")


def read_run(
    folder: Path, collected: bool = False, listings: bool = False, ended: float | None = None, **about: Any
) -> Run:
    """Return the facts of the run whose files are in ``folder``; ``about`` has the fields that no file tells.

    ``collected`` says that the program ran with the collector, although it may have left nothing. With ``listings``,
    compiles have their graphs, guards and code. ``ended`` is when the program ended, in seconds since the epoch;
    without it, that is the last time that one of the files was written.
    """
    traced = read_traces(folder, listings)
    ended = ended or max((path.stat().st_mtime for path in folder.rglob("*.log")), default=0.0)
    processes = []
    for path in _collected_files(folder):
        pid = int(path.stem.partition("-")[0])
        own = next((item for item in traced if (item.pid, item.folder) == (pid, path.parent)), None)
        if own:
            traced.remove(own)
        collected = True
        processes.append(_process(pid, _read_records(path), own, path.parent, ended))
    processes += [_process(item.pid, [], item, folder, ended) for item in traced]
    processes.sort(key=lambda process: (process.rank is None, process.rank or 0, process.start))
    if "seconds" not in about and processes:
        about["seconds"] = max(p.end for p in processes) - min(p.start for p in processes)
    return Run(processes=tuple(processes), collected=collected, **about)


Record = dict[str, Any]

#: Dynamo's name for a function that goes on after a break.
_RESUMED = re.compile(r"torch_dynamo_resume_in_(.+)_at_\d+$")


def _collected_files(folder: Path) -> list[Path]:
    """Return the collector's files: ``4711-1795765447852714910.jsonl``, one for each process."""
    parts = ((path, *path.stem.partition("-")) for path in sorted(folder.rglob("*.jsonl")))
    return [path for path, head, _, rest in parts if head.isdigit() and rest.isdigit()]


def _read_records(path: Path) -> list[Record]:
    records = []
    with path.open(encoding="utf-8") as lines:
        for line in lines:
            try:
                records.append(read_json(line))
            except ValueError:  # the last line of a program that was killed
                continue
    return records


@dataclass
class _Calls:
    """The calls of one process: the newest totals of each region and thread, and misses by who looked up."""

    regions: dict[tuple[int, int], Sequence[float]] = field(default_factory=dict)
    missed: dict[tuple[Any, ...], int] = field(default_factory=dict)
    spans: list[Span] = field(default_factory=list)
    noted: dict[tuple[int, int], float] = field(default_factory=dict)
    lookups: dict[tuple[int, int], Sequence[float]] = field(default_factory=dict)

    def add(self, record: Record) -> None:
        for number, *values in record["regions"]:
            key = number, record["who"]
            before = self.regions.get(key, (0, 0.0, 0.0, 0, 0.0))
            calls, seconds, compiling, _, eager = (now - old for now, old in zip(values, before, strict=True))
            if calls:
                self.spans.append(
                    Span(
                        region=number,
                        since=self.noted.get(key, record["t"] - seconds),
                        end=record["t"],
                        calls=int(calls),
                        seconds=seconds,
                        compiling=compiling,
                        eager=eager,
                    )
                )
            self.regions[key] = values
            self.noted[key] = record["t"]
        for region, file, function, count in record["missed"]:
            self.missed[record["who"], region, file, function] = count
        for number, *values in record.get("lookups", ()):
            self.lookups[number, record["who"]] = values

    def total(self, region: int) -> list[float]:
        return _total(self.regions, region) or [0, 0.0, 0.0, 0, 0.0]

    def total_of_lookups(self, region: int) -> list[float]:
        return _total(self.lookups, region) or [0, 0.0]


def _total(values: dict[tuple[int, int], Sequence[float]], region: int) -> list[float]:
    """Add up the columns of a region's rows, one for each thread."""
    rows = [row for (number, _), row in values.items() if number == region]
    return [sum(column) for column in zip(*rows, strict=True)]


def _process(pid: int, records: list[Record], traced: TracedProcess | None, folder: Path, ended: float) -> Process:
    by_kind: dict[str, list[Record]] = defaultdict(list)
    calls = _Calls()
    for record in records:
        by_kind[record["e"]].append(record)
        if record["e"] == "calls":
            calls.add(record)
    about = (by_kind["process"] or [{}])[0]
    version = (by_kind["torch"] or [{}])[0]
    compiles = [*_compiles(by_kind["convert"], traced, calls), *_unfinished(traced, ended)]
    starts = [item.start for item in compiles] + [record["t"] for record in records]
    ends = [item.ends for item in compiles] + [record["t"] for record in records]
    rank = about.get("rank")
    errors = Counter(f"error in the collector, {record['where']}: {record['message']}" for record in by_kind["error"])
    return Process(
        pid=pid,
        argv=tuple(about.get("argv", ())),
        rank=int(rank) if rank is not None else (traced.rank if traced else None),
        torch=version.get("version") or (traced.torch if traced else None),
        start=min(starts, default=0.0),
        end=max(ends, default=0.0),
        regions=tuple(_region(record, calls) for record in by_kind["region"]),
        compiles=tuple(compiles),
        breaks=tuple(_breaks(traced, compiles)) if traced else (),
        intervals=tuple(map(_interval, by_kind["interval"])),
        messages=tuple(Message(text=r["message"], stack=_inner_first(r["stack"])) for r in by_kind["log"]),
        modules=_modules(by_kind["samples"]),
        backward=_backward_share(by_kind["samples"]),
        profile=next((read_profile(folder, record) for record in by_kind["profile"]), None),
        spans=tuple(sorted(calls.spans, key=lambda span: span.end)),
        peak=_last(records, "peak"),
        gpu_peak=_last(records, "gpu_peak"),
        missing=(*version.get("missing", ()), *errors),
    )


def _last(records: list[Record], name: str) -> int | None:
    return next((record[name] for record in reversed(records) if name in record), None)


def _modules(records: list[Record]) -> tuple[tuple[Location, float], ...]:
    if not records:
        return ()
    last = records[-1]
    return tuple((location(*line), count / last["total"]) for *line, count in last["lines"])


def _backward_share(records: list[Record]) -> float:
    return float(records[-1].get("backward", 0) / records[-1]["total"]) if records else 0.0


def _region(record: Record, calls: _Calls) -> Region:
    count, seconds, compiling, eager, eager_seconds = calls.total(record["id"])
    guarded, guarding = calls.total_of_lookups(record["id"])
    return Region(
        id=record["id"],
        function=record["function"],
        module=record["module"],
        code=location(*record["code"]) if record["code"] else None,
        stack=_inner_first(record["stack"]),
        backend=record.get("backend", ""),
        dynamic=record.get("dynamic"),
        fullgraph=record.get("fullgraph"),
        own_limit=record.get("own_limit"),
        limit=record.get("limit"),
        thread=record.get("thread", ""),
        in_place=record.get("in_place", False),
        disabled=record.get("disabled", False),
        calls=int(count),
        seconds=seconds,
        compile_seconds=compiling,
        eager_calls=int(eager),
        eager_seconds=eager_seconds,
        guarded_calls=int(guarded),
        guard_seconds=guarding,
    )


def _inner_first(stack: Iterable[Sequence[Any]]) -> tuple[Location, ...]:
    return tuple(location(*frame) for frame in stack)


def _interval(record: Record) -> Interval:
    return Interval(
        trigger=record["trigger"],
        compile=record["id"],
        start=record["t"] - record["seconds"],
        seconds=record["seconds"],
        stack=_inner_first(record["stack"]),
        mode=record.get("mode", ""),
        sizes=tuple(record.get("sizes", ())),
        again=record.get("again", 0),
        reason=record.get("reason", ""),
    )


def _compiles(records: list[Record], traced: TracedProcess | None, calls: _Calls) -> list[Compile]:
    """Join the collector's records with those of the trace by compile id; either alone is enough."""
    rest = dict(traced.compiles) if traced else {}
    by_id: dict[str, list[TracedCompile]] = defaultdict(list)
    for item in rest.values():
        by_id[item.id.partition("#")[0]].append(item)
    joined = []
    for record in records:
        id = f"{record['frame']}/{record['number']}" if record.get("number") is not None else ""
        found = _take(by_id[id], record["t"] - record["seconds"])
        joined.append(_collected(found.id if found else id, record, found, calls))
        if found:
            del rest[found.id]
    names = {item.metrics["co_name"]: item for item in rest.values() if item.metrics.get("co_name")}
    by_frame = {item.id.partition("/")[0]: item for item in names.values()}
    alone = [_traced(item, by_frame.get(item.id.partition("/")[0])) for item in rest.values() if item.metrics]
    if records:  # the collector leaves out frames of torch's without a graph
        alone = [item for item in alone if item.operations]
    joined += alone
    return sorted(joined, key=lambda item: item.start)


def _unfinished(traced: TracedProcess | None, ended: float) -> Iterator[Compile]:
    """Yield the compile that was under way when the process was killed: the last one, without an end in the trace."""
    last = next(reversed(traced.compiles.values()), None) if traced else None
    if last is None or not last.started or last.metrics or last.began is None or not last.stack:
        return
    frame, _, number = last.id.partition("#")[0].partition("/")
    file, line, function = last.stack[-1]
    yield Compile(
        id=last.id,
        frame=int(frame),
        number=int(number),
        code=location(file, line, function),
        name=function,
        outcome="failed",
        start=last.began,
        seconds=max(0.0, ended - last.began),
        reason=f"{ENDED}: the program ended during this compile",
        stack=tuple(location(*item) for item in reversed(last.stack[:-1])),
        guards=_guards((), last),
        **_details(last),
    )


def _take(same: list[TracedCompile], start: float) -> TracedCompile | None:
    """Take the compile that began at ``start`` out of those with one id of torch's."""
    found = min(same, key=lambda item: abs((item.metrics.get("start_time") or 0.0) - start), default=None)
    if found:
        same.remove(found)
    return found


def _collected(id: str, record: Record, traced: TracedCompile | None, calls: _Calls) -> Compile:
    metrics = traced.metrics if traced else {}
    reason = record["reason"]
    if record["outcome"] == "skipped" and metrics.get("fail_reason"):
        reason = metrics["fail_reason"]
    eager = None
    if record["outcome"] == "limit" and "key" in record:
        eager = 1 + calls.missed.get((record["who"], *record["key"]), 0)
    return Compile(
        id=id,
        frame=record["frame"],
        number=record.get("number") or 0,
        code=location(*record["code"]),
        name=record.get("name", record["code"][2]).rpartition("<locals>.")[2],
        outcome=record["outcome"],
        start=record["t"] - record["seconds"],
        seconds=record["seconds"],
        nested=bool(record["nested"]),
        reason=reason,
        region=record["region"],
        call=record["call"],
        thread=record["thread"],
        main_thread=record["main"],
        generator=record.get("generator", False),
        stack=_inner_first(record["stack"]),
        guards=_guards(record.get("guards", ()), traced),
        limits=tuple(record.get("limits", (None, None))),
        eager_calls=eager,
        memory=_memory(record, "memory"),
        gpu_memory=_memory(record, "gpu_memory"),
        float32_precision=record.get("float32"),
        **_details(traced) | _repeated(record),
    )


def _repeated(record: Record) -> dict[str, Any]:
    """Return the repeated lines that the collector has. It knows callers too, the trace only the innermost line."""
    if "repeated" not in record:
        return {}
    lines = ((location(*line), copies, operations) for *line, copies, operations in record["repeated"])
    return {"repeated": tuple(Repeated(*numbers) for numbers in lines)}


def _memory(record: Record, name: str) -> Memory | None:
    return Memory(before=record[name][0], after=record[name][1]) if name in record else None


def _guards(collected: Iterable[Sequence[Any]], traced: TracedCompile | None) -> tuple[FailedCheck, ...]:
    """Return the guards that failed: what the collector has, which knows the new values, else what the trace has."""
    found = tuple(FailedCheck(text, new) for text, new in collected)
    if found or traced is None:
        return found
    return tuple(map(FailedCheck, traced.reasons or filter(None, [traced.metrics.get("recompile_reason")])))


def _traced(traced: TracedCompile, named: TracedCompile | None) -> Compile:
    """Return a compile that only the trace tells of. The row of a frame that hit the limit has no name: take it
    from an earlier compile of the frame."""
    metrics = traced.metrics
    frame, _, number = traced.id.partition("#")[0].partition("/")
    origin = metrics if metrics.get("co_name") else (named.metrics if named else {})
    stack = traced.stack or (named.stack if named else ())
    fail = metrics.get("fail_reason") or ""
    limit = "recompile limit exceeded" in fail
    outcome = "limit" if limit else ("compiled" if metrics.get("has_guarded_code", not fail) else "skipped")
    return Compile(
        id=traced.id,
        frame=int(frame),
        number=int(number),
        code=location(origin.get("co_filename") or "", origin.get("co_firstlineno") or 0, origin.get("co_name") or ""),
        name=origin.get("co_name") or "",
        outcome=outcome,
        start=metrics.get("start_time") or 0.0,
        seconds=(metrics.get("duration_us") or 0) / 1e6,
        reason=fail or None,
        stack=tuple(location(*item) for item in reversed(stack[:-1])),
        guards=_guards((), traced),
        **_details(traced),
    )


def _details(traced: TracedCompile | None) -> dict[str, Any]:
    if traced is None:
        return {}
    stages: dict[str, float] = defaultdict(float)
    all_metrics = (traced.metrics, traced.backward, *traced.runtime)
    for metrics in (traced.metrics, *traced.runtime):
        for stage, name in STAGES.items():
            stages[stage] += (metrics.get(name) or 0) / 1e6
    return {
        "stages": {stage: seconds for stage, seconds in stages.items() if seconds},
        "caches": tuple(traced.caches),
        "backward_seconds": (traced.backward.get("duration_us") or 0) / 1e6,
        "operations": traced.metrics.get("graph_op_count"),
        "guard_count": traced.metrics.get("guard_count"),
        "guarded_line": _guarded_line(traced),
        "autotuned": traced.autotuned,
        "autotune_seconds": sum((m.get(name) or 0) / 1e6 for m in all_metrics for name in AUTOTUNING),
        "cuda_graph_skipped": next(filter(None, (m.get("cudagraph_skip_reason") for m in all_metrics)), None),
        "matmuls": tuple(
            Matmul(dtype, device, location(*line) if line else None) for dtype, device, line in traced.matmuls
        ),
        "constants": tuple(
            (source, tuple(location(*frame) for frame in stack)) for source, stack in traced.constants.items()
        ),
        "repeated": tuple(
            Repeated(location(*line), count) for line, count in traced.lines.most_common(_REPEATED) if count > 1
        ),
        "listings": tuple(Listing(*listing) for listing in traced.listings),
        "traced": sum((m.get("structured_logging_overhead_us") or 0) / 1e6 for m in (traced.metrics, traced.backward)),
    }


def _guarded_line(traced: TracedCompile) -> tuple[Location, int] | None:
    """Return the line that most guards are from. Their text has the end of its path, graph and stack have all of it."""
    files = dict.fromkeys(line[0] for line in (*traced.lines, *traced.stack))
    for (path, number), count in traced.guards.most_common(1):
        file = next((file for file in files if file.endswith(path)), None)
        return (location(file, number), count) if file else None
    return None


def _breaks(traced: TracedProcess, compiles: list[Compile]) -> Iterable[GraphBreak]:
    """Yield each break once for each compile and line: Dynamo traces a frame again after a break."""
    codes = {item.id: item.code for item in compiles}
    for entry in traced.compiles.values():
        seen = set()
        for item in entry.breaks:
            if (item.cause, item.stack) in seen:
                continue
            seen.add((item.cause, item.stack))
            code = codes.get(entry.id)
            inside = _inside(item.stack, code)
            yield GraphBreak(
                compile=entry.id,
                gb_id=item.gb_id,
                cause=item.cause,
                explanation=item.explanation,
                hints=item.hints,
                stack=tuple(location(*frame) for frame in item.stack),
                inside=tuple(location(*frame) for frame in inside),
            )


def _inside(stack: tuple[Frame, ...], code: Location | None) -> tuple[Frame, ...]:
    """Return the part of a stack from the compiled frame on."""
    if code is None:
        return stack[-1:]
    name = _RESUMED.sub(r"\1", code.function)
    for index in range(len(stack) - 1, -1, -1):
        file, _, function = stack[index]
        if os.path.basename(file) == os.path.basename(code.file) and function in (code.function, name):
            return stack[index:]
    return stack[-1:]
