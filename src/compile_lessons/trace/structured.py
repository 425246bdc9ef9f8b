"""Read the files that ``TORCH_TRACE`` has torch write, line by line, and keep what a report needs.

A record is a line with a prefix and JSON, ``V1127 02:55:03.035000 10574 torch/_dynamo/guards.py:5400] {"artifact": …``,
then its payload, each line after a tab. The number is the process, and the first key of the JSON is the record's kind.
"""

import os
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from compile_lessons.facts.run import ListingStage, TracedListing
from compile_lessons.ground.reading import bounded_lines, open_regular, read_json
from compile_lessons.trace.kinds import COLLECTIVE, KINDS, UNREAD, Context, DynamoStart, TracedCompile
from compile_lessons.trace.records import LARGEST, LONGEST, Unread, decode

#: Characters of a listing, and of all listings of a file, that are kept.
_LONGEST_LISTING, _ALL_LISTINGS = 60_000, 1_500_000
#: Bytes of a payload that are kept until it is read.
_LONGEST_PAYLOAD = 2**25
#: Kinds, and artifacts, whose payload is a listing.
_STAGES: dict[str, ListingStage] = {
    "dynamo_output_graph": "dynamo",
    "aot_inference_graph": "inference",
    "aot_forward_graph": "forward",
    "aot_backward_graph": "backward",
    "inductor_post_grad_graph": "post_grad",
    "inductor_output_code": "code",
    "dynamo_cpp_guards_str": "guards",
}
#: Kinds, and artifacts, whose payload is read in any case.
_WITH_PAYLOAD = {
    *("dynamo_output_graph", "dynamo_cpp_guards_str", "chromium_event"),
    *("recompile_reasons", "dynamo_graph_break_reason", "aotautograd_cache_bypass"),
}
_RECORD = re.compile(rb'[A-Z]\d{4} [\d:.]+ (?P<pid>\d{1,9}) [^\]]*\] (?P<json>\{"(?P<kind>[^"]+)": .*)')
_RANK = re.compile(r"rank_(\d{1,9})_")


@dataclass
class TracedProcess:
    """What the trace has on one process."""

    pid: int
    folder: Path | None = None
    rank: int | None = None
    torch: str | None = None
    compiles: dict[str, TracedCompile] = field(default_factory=dict)
    #: The number of compiles that had an id of torch's, where it is more than one.
    repeated: dict[str, int] = field(default_factory=dict)
    unread: Unread = field(default_factory=Unread)

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


@dataclass
class _Record:
    """A record as the file has it."""

    pid: int
    kind: str
    #: The kind, or the artifact's name.
    name: str
    #: The line's JSON; ``None`` if it is damaged or its kind isn't known.
    data: dict[str, Any] | None
    #: Whether its payload is kept; the payload, and how many bytes more it has.
    keep: bool
    #: What a line of the payload must have to be kept.
    part: bytes = b""
    payload: bytearray = field(default_factory=bytearray)
    left: int = 0

    def add(self, line: bytes) -> None:
        """Add a line of the payload."""
        if self.part and self.part not in line:
            return
        room = _LONGEST_PAYLOAD - len(self.payload) if self.keep else 0
        self.payload += line[:room]
        self.left += len(line[room:])


def read_traces(folder: Path, unread: Unread, listings: bool = False) -> list[TracedProcess]:
    """Return what the trace files below a folder have on each process; with its ``listings``, if they are asked for.

    A process writes one file. Files of several machines, or containers, may have the same process number in them, so
    what two files say of a number is not put together.
    """
    files = [path for path in sorted(folder.rglob("*.log")) if not os.path.isdir(path)]
    return [process for path in files for process in _read_trace(path, unread, listings)]


def _read_trace(path: Path, unread: Unread, listings: bool) -> list[TracedProcess]:
    processes: dict[int, TracedProcess] = {}
    files: dict[int, str] = {}  # by their numbers in the trace
    room = _ALL_LISTINGS
    rank = _RANK.search(path.name)
    try:
        for record in _records(path, listings):
            if record.pid not in processes:
                processes[record.pid] = TracedProcess(record.pid, path.parent, int(rank[1]) if rank else None)
            process = processes[record.pid]
            entry, attempt = _add(process, record, files)
            stage = _STAGES.get(record.name)
            if entry and listings and stage and room > 0:
                text = record.payload.decode("utf-8", "replace")
                room -= _add_listing(entry, attempt, stage, text, record.left)
    except OSError as error:
        unread.add_lost(f"{path.name}: {error.strerror}")
    else:
        if not processes:
            unread.add_unknown(f"{path.name}: no record of torch's")
    return list(processes.values())


def _add(process: TracedProcess, record: _Record, files: dict[int, str]) -> tuple[TracedCompile | None, int]:
    """Add a record to its process. Return its compile, if it is of one, and the attempt to compile."""
    kind, data, unread = record.kind, record.data, process.unread
    if kind not in KINDS:
        unread.add_unknown(kind)
        return None, 0
    if data is None:
        unread.add_lost(f"damaged {kind}")
        return None, 0
    body = decode(kind, data.pop(kind), KINDS[kind], unread, files)
    context = decode("context", data, Context, unread)
    if context is None or body is None:
        return None, 0
    process.rank = process.rank if context.rank is None else context.rank
    if isinstance(body, tuple):
        files[body[1]] = body[0]
        return None, 0
    if context.frame_id is None or context.frame_compile_id is None:
        return None, 0
    entry = process.compile(f"{context.frame_id}/{context.frame_compile_id}", isinstance(body, DynamoStart))
    payload = record.payload.decode("utf-8", "replace")
    try:
        body.add_to(entry, payload)
    except ValueError:
        if payload.endswith("\n"):  # otherwise the program was killed while torch wrote it
            unread.add_lost(f"payload of {kind}")
    if record.left and record.name in _WITH_PAYLOAD:
        unread.add_lost(f"payload of {kind} after {_LONGEST_PAYLOAD:,} bytes")
    if entry.metrics:
        process.torch = entry.metrics.pytorch_version or process.torch
    return entry, context.attempt


def _add_listing(entry: TracedCompile, attempt: int, stage: ListingStage, text: str, left: int) -> int:
    """Keep a listing; those of the attempt before are of no compiled code. Return its length."""
    if attempt > entry.attempt:
        entry.attempt = attempt
        entry.listings.clear()
    if len(text) > _LONGEST_LISTING:
        text = f"{text[:_LONGEST_LISTING]}\n… {len(text) - _LONGEST_LISTING + left:,} more characters"
    entry.listings.append(TracedListing(stage, text))
    return len(text)


def _records(path: Path, listings: bool) -> Iterator[_Record]:
    """Yield each record, but not those that no report needs, and not a line that the program's end has cut off."""
    record: _Record | None = None
    with open_regular(path, LARGEST) as file:
        for line, whole in bounded_lines(file, LONGEST):
            if line.startswith(b"\t"):
                if record is not None:
                    record.add(line[1:])
                    record.left += not whole
                continue
            if record is not None:
                yield record
            record = _begin(line, whole, listings)
    if record is not None:
        yield record


def _begin(line: bytes, whole: bool, listings: bool) -> _Record | None:
    """Return the record that begins with a line."""
    start = _RECORD.match(line)
    if start is None or UNREAD.fullmatch(kind := start["kind"].decode("utf-8", "replace")):
        return None
    data = None
    if whole and kind in KINDS:
        try:
            data = read_json(start["json"])
        except ValueError:
            if not line.endswith(b"\n"):  # the program was killed while torch wrote it
                return None
    match data:
        case {"artifact": {"name": str(name)}}:
            pass
        case _:
            name = kind
    keep = name in _WITH_PAYLOAD or (listings and name in _STAGES)
    part = COLLECTIVE if name == "inductor_output_code" and not keep else b""
    return _Record(int(start["pid"]), kind, name, data, keep or bool(part), part)
