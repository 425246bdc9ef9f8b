"""Read the files that ``TORCH_TRACE`` has torch write, line by line, and keep what a report needs.

A record is a line with a prefix and JSON, ``V1127 02:55:03.035000 10574 torch/_dynamo/guards.py:5400] {"artifact": …``,
then its payload, each line after a tab. The number is the process. Relies on these names in ``torch._logging``:
``RECORDS`` and ``ARTIFACTS`` list them.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from compile_lessons.ground.reading import read_json

#: Records that are read. All others are skipped without parsing.
RECORDS = (
    "str",
    "dynamo_start",
    "compilation_metrics",
    "bwd_compilation_metrics",
    "artifact",
    "dynamo_output_graph",
    "symbolic_shape_specialization",
)
#: Artifacts that are read.
ARTIFACTS = (
    "recompile_reasons",
    "dynamo_graph_break_reason",
    "fx_graph_cache_hit",
    "fx_graph_cache_miss",
    "fx_graph_cache_bypass",
    "torch_version",
)
#: Artifacts whose payload is read.
_WITH_PAYLOAD = ("recompile_reasons", "dynamo_graph_break_reason")
#: The line that a part of a graph is from: ``# File: /work/train.py:9 in scan, code: …``.
_SOURCE = re.compile(r"^\s*# File: (?P<file>.+):(?P<line>\d+) in (?P<function>[^,]+), code:")
_PREFIX = re.compile(r"[A-Z](?P<month>\d\d)(?P<day>\d\d) (?P<time>[\d:.]+) (?P<pid>\d+) [^\]]*\] ")
_RANK = re.compile(r"rank_(\d+)_")
#: A line of a stack as text: ``File "train.py", line 42, in main``.
_FRAME = re.compile(r'^\s*File "(?P<file>[^"]*)", line (?P<line>\d+), in (?P<function>\S+)')

#: A file, a line, and a function.
Frame = tuple[str, int, str]


@dataclass
class TracedBreak:
    """A graph break, as its text tells it. The stack is outermost first."""

    gb_id: str | None
    cause: str
    explanation: str
    hints: tuple[str, ...]
    stack: tuple[Frame, ...]


@dataclass
class TracedCompile:
    """What the trace has on one compile."""

    #: torch's id. ``torch._dynamo.reset()`` begins to count again: the second ``0/0`` of a process is ``0/0#2``.
    id: str
    #: Whether the trace has its beginning.
    started: bool = False
    metrics: dict[str, Any] = field(default_factory=dict)
    backward: dict[str, Any] = field(default_factory=dict)
    #: Outermost first; the last one is the frame that is compiled.
    stack: tuple[Frame, ...] = ()
    reasons: tuple[str, ...] = ()
    breaks: list[TracedBreak] = field(default_factory=list)
    caches: list[str] = field(default_factory=list)
    #: Sizes that became constants, as their sources, ``L['x'].size()[0]``, each with the stack that did it.
    constants: dict[str, tuple[Frame, ...]] = field(default_factory=dict)
    #: How many parts of the graph are from each line.
    lines: Counter[Frame] = field(default_factory=Counter)


@dataclass
class TracedProcess:
    """What the trace has on one process."""

    pid: int
    rank: int | None = None
    torch: str | None = None
    compiles: dict[str, TracedCompile] = field(default_factory=dict)
    #: The number of compiles that had an id of torch's, where it is more than one.
    repeated: dict[str, int] = field(default_factory=dict)

    def compile(self, id: str, begins: bool = False) -> TracedCompile:
        """Return the newest compile with an id of torch's; a new one if it ``begins`` and the newest has begun."""
        entry = self.compiles.setdefault(self._newest(id), TracedCompile(id))
        if begins and entry.started:
            self.repeated[id] = self.repeated.get(id, 1) + 1
            entry = self.compiles[self._newest(id)] = TracedCompile(self._newest(id))
        entry.started = entry.started or begins
        return entry

    def _newest(self, id: str) -> str:
        return f"{id}#{self.repeated[id]}" if id in self.repeated else id


def read_traces(folder: Path) -> dict[int, TracedProcess]:
    """Return what the trace files below a folder have on each process, by its number."""
    processes: dict[int, TracedProcess] = {}
    for path in sorted(folder.rglob("*.log")):
        read_trace(path, processes)
    return processes


def read_trace(path: Path, processes: dict[int, TracedProcess]) -> None:
    """Read one file. A last line that is cut off, as after ``kill -9``, is left out."""
    names: dict[int, str] = {}
    rank = _RANK.search(path.name)
    for pid, record, payload in _records(path):
        process = processes.setdefault(pid, TracedProcess(pid))
        if record.get("rank") is not None or rank:
            process.rank = record.get("rank", int(rank[1]) if rank else None)
        if "str" in record:
            name, number = record["str"]
            names[number] = name
        elif "frame_id" in record:
            entry = process.compile(_id(record), begins="dynamo_start" in record)
            _add(entry, record, payload, names)
            version = record.get("compilation_metrics", {}).get("pytorch_version")
            process.torch = version or process.torch


def _id(record: dict[str, Any]) -> str:
    return f"{record['frame_id']}/{record['frame_compile_id']}"


def _add(entry: TracedCompile, record: dict[str, Any], payload: str, names: dict[int, str]) -> None:
    if "dynamo_start" in record:
        entry.stack = _frames(record["dynamo_start"].get("stack"), names)
    elif "symbolic_shape_specialization" in record:
        data = record["symbolic_shape_specialization"]
        stack = _frames(data.get("user_stack") or data.get("stack"), names)
        entry.constants.update(dict.fromkeys(data.get("sources") or (), stack))
    elif "compilation_metrics" in record:
        entry.metrics = record["compilation_metrics"]
    elif "bwd_compilation_metrics" in record:
        entry.backward = record["bwd_compilation_metrics"]
    elif "dynamo_output_graph" in record:
        sources = filter(None, map(_SOURCE.match, payload.splitlines()))
        entry.lines.update((m["file"], int(m["line"]), m["function"]) for m in sources)
    elif "artifact" in record:
        name = record["artifact"]["name"]
        if name == "recompile_reasons":
            reasons = read_json(payload) if payload[:1] in '["' else payload
            entry.reasons = tuple([reasons] if isinstance(reasons, str) else reasons)
        elif name == "dynamo_graph_break_reason":
            entry.breaks.append(parse_break(payload))
        elif name.startswith("fx_graph_cache_"):
            entry.caches.append(name.rpartition("_")[2])


def _frames(stack: list[dict[str, Any]] | None, names: dict[int, str]) -> tuple[Frame, ...]:
    frames = [(names.get(frame["filename"], ""), frame["line"], frame["name"]) for frame in stack or ()]
    return tuple(frame for frame in frames if not _is_collector(frame[0]))


def _records(path: Path) -> Iterator[tuple[int, dict[str, Any], str]]:
    """Yield the process, the JSON and the payload of each record that is read."""
    pid, record, payload, keep = 0, None, [], False
    with path.open(encoding="utf-8", errors="replace") as file:
        for line in file:
            if line.startswith("\t"):
                if keep:
                    payload.append(line[1:])
                continue
            if record is not None:
                yield pid, record, "".join(payload)
                record = None
            start = _PREFIX.match(line)
            if start is None or not _is_read(line[start.end() : start.end() + 120]):
                keep = False
                continue
            try:
                record = read_json(line[start.end() :])
            except ValueError:  # the program was killed while torch wrote this line
                record, keep = None, False
                continue
            pid, payload = int(start["pid"]), []
            keep = record.get("artifact", {}).get("name") in _WITH_PAYLOAD or "dynamo_output_graph" in record
    if record is not None:
        yield pid, record, "".join(payload)


def _is_read(head: str) -> bool:
    kind = head[2 : head.find('"', 2)]
    if kind != "artifact":
        return kind in RECORDS
    return any(f'"{name}"' in head for name in ARTIFACTS)


def _is_collector(file: str) -> bool:
    """Return whether a file is the collector's, which stands between torch and the user's frame."""
    return file.endswith("compile_lessons_collector.py")


def parse_break(text: str) -> TracedBreak:
    """Read the text that ``InstructionTranslatorBase.log_graph_break`` writes: reason, hints, the user's stack."""
    body, _, rest = text.partition("\nUser code traceback:\n")
    stack_text = rest.split("\n\n")[0]
    frames = filter(None, map(_FRAME.match, stack_text.splitlines()))
    stack = tuple((m["file"], int(m["line"]), m["function"]) for m in frames if not _is_collector(m["file"]))
    reason = body.partition("Graph Break Reason: ")[2]
    message = re.sub(r"^Encountered graph break when attempting to trace [^\n]*\n+", "", reason)
    cause, _, details = message.partition("\n  Explanation: ")
    explanation, *hints = details.partition("\n\n")[0].split("\n  Hint: ")
    link = re.search(r"/gb(\d+)\.html", body)
    return TracedBreak(
        gb_id=f"GB{link[1]}" if link else None,
        cause=" ".join(cause.split()) or "unknown",
        explanation=" ".join(explanation.split()),
        hints=tuple(" ".join(hint.split()) for hint in hints),
        stack=stack,
    )
