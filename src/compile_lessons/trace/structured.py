"""Read the files that ``TORCH_TRACE`` has torch write, line by line, and keep what a report needs.

A record is a line with a prefix and JSON, ``V1127 02:55:03.035000 10574 torch/_dynamo/guards.py:5400] {"artifact": …``,
then its payload, each line after a tab. The number is the process. Relies on these names in ``torch._logging``:
``RECORDS`` and ``ARTIFACTS`` list them.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator
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
    "compilation_metrics_runtime",
    "bwd_compilation_metrics_runtime",
    "chromium_event",
    "artifact",
    "dynamo_output_graph",
    "dynamo_cpp_guards_str",
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
#: Records, and artifacts, whose payload is read.
_HAVE_PAYLOAD = {"dynamo_output_graph", "dynamo_cpp_guards_str", "chromium_event"}
_WITH_PAYLOAD = ("recompile_reasons", "dynamo_graph_break_reason")
#: Records whose payload is a listing, with its title, and Pygments' name of its language.
LISTINGS = {
    "dynamo_output_graph": ("Dynamo graph", "python"),
    "aot_inference_graph": ("ATen graph", "python"),
    "aot_forward_graph": ("ATen forward graph", "python"),
    "aot_backward_graph": ("ATen backward graph", "python"),
    "inductor_output_code": ("output code", "python"),
    "dynamo_cpp_guards_str": ("guards", ""),
    "inductor_post_grad_graph": ("post-grad graph", "python"),  # an artifact
}
#: Characters of a listing, and of all listings of a file, that are kept.
_LONGEST_LISTING, _ALL_LISTINGS = 60_000, 1_500_000
#: Metrics that nobody reads here and that are long.
_LONG_METRICS = (
    "dynamo_config",
    "inductor_config",
    "functorch_config",
    "graph_node_shapes",
    "stack_trace",
    "exception_stack_trace",
)
#: The line that a part of a graph is from: ``# File: /work/train.py:9 in scan, code: …``.
_SOURCE = re.compile(r"^\s*# File: (?P<file>.+):(?P<line>\d+) in (?P<function>[^,]+), code:")
#: The end of a guard, with its line and the end of its path: ``# sum(self.taps)  # p/table.py:12 in f``.
_GUARD = re.compile(r"  # (?P<path>\S+\.py):(?P<line>\d+) in \S+")
#: The beginning of a search for the fastest candidate of a kernel, in Inductor or in Triton's wrapper.
_AUTOTUNED = re.compile(r'"name": "(?:\w+_template_autotuning|CachingAutotuner\.benchmark_all_configs)"')
#: The beginning of a compile, in microseconds.
_BEGAN = re.compile(r'"name": "entire_frame_compile",\s+"ts": (?P<ts>[\d.]+),[^}]*\},\s+"ph": "B"')
#: ``addmm: "bf16[8, 64][64, 1]cuda:0" = torch.nn.functional.linear(…)``, as graphs of Dynamo have it.
_MATMUL = re.compile(
    r'^\s*\w+: "(?P<dtype>\w+)\[[^"]*\](?P<device>[a-z]+)[:\d]*" = [^;]*?(?:'
    r"\b(?:linear|matmul|mm|bmm|addmm|baddbmm|einsum|conv[123]d|scaled_dot_product_attention)\(| @ )"
)
_PREFIX = re.compile(rb"[A-Z]\d{4} [\d:.]+ (?P<pid>\d+) [^\]]*\] ")
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
    #: Whether the trace has its beginning, and when that was, in seconds since the epoch.
    started: bool = False
    began: float | None = None
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
    #: The title, language and text of each listing, of the last attempt to compile.
    listings: list[tuple[str, str, str]] = field(default_factory=list)
    attempt: int = 0
    #: The type, device and line of each matrix multiplication.
    matmuls: list[tuple[str, str, Frame | None]] = field(default_factory=list)
    #: How many guards are from each line. The path is the end of the file's path.
    guards: Counter[tuple[str, int]] = field(default_factory=Counter)
    #: Kernels whose candidates were timed.
    autotuned: int = 0
    #: Metrics of what ran later than the compile: Triton's autotuning, recordings of CUDA graphs.
    runtime: list[dict[str, Any]] = field(default_factory=list)


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


def read_traces(folder: Path, listings: bool = False) -> list[TracedProcess]:
    """Return what the trace files below a folder have on each process; with its ``listings``, if they are asked for.

    A process writes one file. Files of several machines, or containers, may have the same process number in them, so
    what two files say of a number is not put together.
    """
    return [process for path in sorted(folder.rglob("*.log")) for process in read_trace(path, listings)]


def read_trace(path: Path, listings: bool = False) -> list[TracedProcess]:
    """Read one file. A last line that is cut off, as after ``kill -9``, is left out."""
    processes: dict[int, TracedProcess] = {}
    names: dict[int, str] = {}
    room = _ALL_LISTINGS
    rank = _RANK.search(path.name)
    for pid, record, payload in _records(path, listings):
        process = processes.setdefault(pid, TracedProcess(pid, path.parent))
        if record.get("rank") is not None or rank:
            process.rank = record.get("rank", int(rank[1]) if rank else None)
        if "str" in record:
            name, number = record["str"]
            names[number] = name
        elif "frame_id" in record:
            entry = process.compile(_id(record), begins="dynamo_start" in record)
            _add(entry, record, payload, names)
            if listings and room > 0:
                room -= _add_listing(entry, record, payload)
            version = record.get("compilation_metrics", {}).get("pytorch_version")
            process.torch = version or process.torch
    return list(processes.values())


def _add_listing(entry: TracedCompile, record: dict[str, Any], text: str) -> int:
    """Keep a listing; those of the attempt before are of no compiled code. Return its length."""
    name = next((name for name in (*record, record.get("artifact", {}).get("name")) if name in LISTINGS), None)
    if name is None:
        return 0
    if record.get("attempt", 0) > entry.attempt:
        entry.attempt = record["attempt"]
        entry.listings.clear()
    if len(text) > _LONGEST_LISTING:
        text = f"{text[:_LONGEST_LISTING]}\n… {len(text) - _LONGEST_LISTING:,} more characters"
    entry.listings.append((*LISTINGS[name], text))
    return len(text)


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
        entry.metrics = _short(record["compilation_metrics"])
    elif "bwd_compilation_metrics" in record:
        entry.backward = _short(record["bwd_compilation_metrics"])
    elif "compilation_metrics_runtime" in record or "bwd_compilation_metrics_runtime" in record:
        entry.runtime += [record.get("compilation_metrics_runtime") or record["bwd_compilation_metrics_runtime"]]
    elif "chromium_event" in record:
        entry.autotuned += '"ph": "B"' in payload and bool(_AUTOTUNED.search(payload))
        if began := _BEGAN.search(payload):
            entry.began = float(began["ts"]) / 1e6
    elif "dynamo_output_graph" in record:
        _add_graph(entry, payload)
    elif "dynamo_cpp_guards_str" in record:
        entry.guards = Counter((guard["path"], int(guard["line"])) for guard in _GUARD.finditer(payload))
    elif "artifact" in record:
        name = record["artifact"]["name"]
        if name == "recompile_reasons":
            reasons = read_json(payload) if payload[:1] in '["' else payload
            entry.reasons = tuple([reasons] if isinstance(reasons, str) else reasons)
        elif name == "dynamo_graph_break_reason":
            entry.breaks.append(parse_break(payload))
        elif name.startswith("fx_graph_cache_"):
            entry.caches.append(name.rpartition("_")[2])


def _short(metrics: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in metrics.items() if name not in _LONG_METRICS}


def _add_graph(entry: TracedCompile, payload: str) -> None:
    """Count the parts of a graph by their lines, and note its matrix multiplications."""
    line: Frame | None = None
    for text in payload.splitlines():
        if source := _SOURCE.match(text):
            line = source["file"], int(source["line"]), source["function"]
            entry.lines[line] += 1
        elif found := _MATMUL.match(text):
            entry.matmuls.append((found["dtype"], found["device"], line))


def _frames(stack: list[dict[str, Any]] | None, names: dict[int, str]) -> tuple[Frame, ...]:
    frames = [(names.get(frame["filename"], ""), frame["line"], frame["name"]) for frame in stack or ()]
    return tuple(frame for frame in frames if not _is_collector(frame[0]))


def _records(path: Path, listings: bool) -> Iterator[tuple[int, dict[str, Any], str]]:
    """Yield the process, the JSON and the payload of each record that is read."""
    kinds = {name.encode() for name in (*RECORDS, *(LISTINGS if listings else ()))}
    with_payload = {*_HAVE_PAYLOAD, *(LISTINGS if listings else ())}
    artifacts = tuple(f'"{name}"'.encode() for name in (*ARTIFACTS, *(LISTINGS if listings else ())))
    pid, record, keep = 0, None, False
    payload: list[bytes] = []
    with path.open("rb") as file:
        for line in file:
            if line.startswith(b"\t"):
                if keep:
                    payload.append(line[1:])
                continue
            if record is not None:
                yield pid, record, _text(payload)
                record = None
            start = _PREFIX.match(line)
            if start is None or not _is_read(line[start.end() : start.end() + 120], kinds, artifacts):
                keep = False
                continue
            try:
                record = read_json(line[start.end() :])
            except ValueError:  # the program was killed while torch wrote this line
                record, keep = None, False
                continue
            pid, payload = int(start["pid"]), []
            artifact = record.get("artifact", {}).get("name")
            keep = artifact in _WITH_PAYLOAD or artifact in with_payload or not with_payload.isdisjoint(record)
    if record is not None:
        yield pid, record, _text(payload)


def _text(payload: Iterable[bytes]) -> str:
    return b"".join(payload).decode("utf-8", "replace")


def _is_read(head: bytes, kinds: set[bytes], artifacts: tuple[bytes, ...]) -> bool:
    kind = head[2 : head.find(b'"', 2)]
    if kind != b"artifact":
        return kind in kinds
    return any(name in head for name in artifacts)


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
    cause = cause.partition("\n  Higher Order Operator: ")[0]  # in which the line is traced
    explanation, *hints = details.partition("\n\n")[0].split("\n  Hint: ")
    link = re.search(r"/gb(\d+)\.html", body)
    return TracedBreak(
        gb_id=f"GB{link[1]}" if link else None,
        cause=" ".join(cause.split()) or "unknown",
        explanation=" ".join(explanation.split()),
        hints=tuple(" ".join(hint.split()) for hint in hints),
        stack=stack,
    )
