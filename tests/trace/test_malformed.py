"""Folders of records that are damaged, or not what they seem: what can be read is reported, the rest is named."""

import itertools
import json
import os
import subprocess
import sys
from collections.abc import Callable
from dataclasses import asdict
from pathlib import Path
from typing import Any

import pytest

from compile_lessons.facts.run import Run
from compile_lessons.findings.rules import findings_of
from compile_lessons.reports.html import report_html
from compile_lessons.reports.json import report_to_json
from compile_lessons.reports.of_run import report_of
from compile_lessons.reports.report import Counts, Report
from compile_lessons.reports.text import report_text
from compile_lessons.trace import records, structured
from compile_lessons.trace.read import read_run

PREFIX = "V1127 02:55:03.035000 7 torch/_dynamo/utils.py:2350] "
IDS = {"frame_id": 0, "frame_compile_id": 1, "attempt": 0}
STACK = [{"filename": 1, "line": 9, "name": "<module>", "loc": "step(x)"}]
BREAK = (
    'Graph break\nGraph Break Reason: odd\n\nUser code traceback:\n  File "/work/a.py", line 9, in step\n    print(1)\n'
)
GRAPH = '# File: /work/a.py:8 in step, code: return x @ x\ny: "f32[4, 4][4, 1]cpu" = x @ x'
#: Records of torch's trace, each with its payload.
TRACE: list[tuple[dict[str, Any], str]] = [
    ({"str": ["/work/a.py", 1]}, ""),
    ({"dynamo_start": {"stack": STACK}, **IDS}, ""),
    ({"artifact": {"name": "recompile_reasons", "encoding": "json"}, **IDS}, '["0/0: n == 1"]'),
    ({"artifact": {"name": "dynamo_graph_break_reason", "encoding": "string"}, **IDS}, BREAK),
    ({"dynamo_output_graph": {"sizes": {}}, **IDS}, GRAPH),
    ({"chromium_event": {}, **IDS}, '{"name": "entire_frame_compile", "ts": 1000000.0, "ph": "B", "tid": 0}'),
    (
        {
            "compilation_metrics": {
                "co_name": "step",
                "co_filename": "/work/a.py",
                "co_firstlineno": 7,
                "start_time": 10.0,
                "duration_us": 2e6,
                "has_guarded_code": True,
                "graph_op_count": 1,
                "pytorch_version": "2.13.0",
            },
            **IDS,
        },
        "",
    ),
]
LINE = ["/work/a.py", 7, "step"]
#: Records of the collector.
COLLECTED: list[dict[str, Any]] = [
    {"e": "process", "t": 1.0, "pid": 7, "parent": 1, "argv": ["python", "a.py"], "rank": 0, "forked_at": [LINE]},
    {"e": "torch", "t": 2.0, "version": "2.13.0", "missing": []},
    {"e": "triton", "t": 2.5, "version": "3.7.1", "missing": []},
    {
        "e": "kernel",
        "t": 2.6,
        "kernel": "scale",
        "code": LINE,
        "start": 2.5,
        "seconds": 0.1,
        "launch": 1,
        "arguments": [{"name": "n", "type": "i32", "value": "16", "special": "divisible by 16"}],
        "stack": [LINE],
    },
    {
        "e": "search",
        "t": 2.7,
        "kernel": "scale",
        "code": LINE,
        "start": 2.6,
        "seconds": 0.1,
        "configurations": 2,
        "keys": [["n", "16"]],
        "stack": [LINE],
    },
    {"e": "generated", "t": 2.8, "kernel": "triton_poi_fused_add_0", "bytes": 64, "flop": 0, "lines": [LINE]},
    {"e": "samples", "t": 3.0, "total": 4, "backward": 1, "lines": [[LINE, 3]]},
    {"e": "printed", "t": 3.5, "text": "loss 1.0"},
    {"e": "names", "t": 3.6, "given": 2, "ignored": 1, "example": "_orig_mod.weight", "stack": [LINE]},
    {
        "e": "values",
        "t": 3.7,
        "region": 1,
        "call": 1,
        "when": "given",
        "leaves": [["x", "float32[1]", 0, [1.0], [1.0]]],
    },
    {"e": "hook", "t": 3.8, "region": 1, "kind": "register_forward_hook", "module": "Net.layer", "stack": [LINE]},
    {"e": "copy", "t": 3.8, "module": "Net", "attribute": "forward", "stack": [LINE]},
    {"e": "unchecked", "t": 3.8, "distribution": "Normal", "message": "Expected parameter scale", "stack": [LINE]},
    {"e": "region", "t": 9.0, "id": 1, "function": "step", "code": LINE, "stack": [LINE], "backend": "eager"},
    {
        "e": "convert",
        "t": 12.0,
        "who": 0,
        "key": [1, "/work/a.py", "step"],
        "repeated": [{"line": LINE, "copies": 2, "operations": 2}],
        "compile": {
            "id": "0/1",
            "frame": 0,
            "number": 1,
            "code": LINE,
            "name": "step",
            "outcome": "compiled",
            "start": 10.0,
            "seconds": 2.0,
            "region": 1,
            "guards": [{"text": "0/0: n == 1", "new": "2", "line": LINE}],
            "limits": [8, 256],
            "memory": {"before": 1, "after": 2},
        },
    },
    {"e": "interval", "t": 13.0, "trigger": "LAZY_BACKWARD", "compile": "0/1", "start": 12.0, "seconds": 0.5},
    {
        "e": "calls",
        "t": 14.0,
        "who": 0,
        "regions": [[1, 5, 3.0, 2.5, 1, 0.25]],
        "missed": [[1, "/work/a.py", "step", 1]],
        "lookups": [[1, 3, 0.01]],
        "peak": 100,
    },
    {"e": "export", "t": 14.1, "inputs": [["x", ["2", "s0"]]], "stack": [LINE]},
    {"e": "reset", "t": 14.2, "stack": [LINE]},
    {"e": "trains", "t": 14.3},
    {"e": "between", "t": 14.35, "looked": 10, "lines": [[LINE, 5]]},
    {
        "e": "raised",
        "t": 14.4,
        "type": "RuntimeError",
        "module": "builtins",
        "message": "odd",
        "when": "call",
        "ends": "thread",
        "region": 1,
        "call": 5,
        "thread": "MainThread",
        "main_thread": True,
        "frames": [LINE, ["/venv/lib/python3.11/site-packages/torch/_ops.py", 5, "call"]],
        "stack": [LINE],
        "count": 1,
        "time": 14.4,
    },
    {"e": "profile", "t": 14.5, "profile": {"region": 1, "first": 3, "steps": 2, "seconds": 0.5}, "file": "7-p.json"},
    {"e": "log", "t": 15.0, "text": "skipping cudagraphs due to cpu device", "stack": [LINE]},
    {"e": "error", "t": 15.5, "where": "memory", "message": "OSError()"},
    {"e": "end", "t": 16.0},
]
PROFILE = {
    "traceEvents": [{"ph": "X", "name": "aten::mm", "cat": "cpu_op", "tid": 1, "ts": 1.0, "dur": 2.0, "args": {}}]
}
LOG, LINES = "dedicated_log_torch_trace_ab.log", "7-1.jsonl"


def write(folder: Path, trace: list[tuple[Any, str]] = TRACE, collected: list[Any] = COLLECTED) -> Path:
    folder.mkdir(exist_ok=True)
    payloads = ["".join(f"\t{line}\n" for line in payload.splitlines()) for _, payload in trace]
    lines = [f"{PREFIX}{json.dumps(data)}\n{text}" for (data, _), text in zip(trace, payloads, strict=True)]
    (folder / LOG).write_text("".join(lines))
    (folder / LINES).write_text("".join(json.dumps(record) + "\n" for record in collected))
    (folder / "7-p.json").write_text(json.dumps(PROFILE))
    return folder


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder in which nothing is wrong."""
    return write(tmp_path / "records")


def reported(run: Run, html: bool = True) -> Report:
    """Return the report on a run, of which each form can be made."""
    report = report_of(run, findings_of(run))
    assert report_text(report).strip()
    assert not html or "<!doctype html>" in report_html(report)

    def refuse(word: str) -> None:
        raise AssertionError(f"{word} is not JSON")

    json.loads(report_to_json(report), parse_constant=refuse)
    return report


def test_the_good_folder_has_each_kind_of_the_collectors() -> None:
    assert {record["e"] for record in COLLECTED} == set(records._KINDS)


def test_nothing_is_lost_of_a_good_folder(folder: Path) -> None:
    report = reported(read_run(folder, listings=True))
    assert (report.lost, report.unknown, report.missing) == ((), (), ("error in the collector, memory: OSError()",))
    counts = {"compiles": 1, "recompiles": 1, "breaks": 1, "limits": 0, "eager_calls": 1, "calls": 5}
    assert {name: getattr(report.counts, name) for name in counts} == counts
    assert report.counts.compile_seconds == 2.5 and None not in asdict(report.counts).values()


def fifo(folder: Path) -> None:
    os.mkfifo(folder / "x.log")


def fifo_of_the_collector(folder: Path) -> None:
    os.mkfifo(folder / "9-1.jsonl")


def endless(folder: Path) -> None:
    (folder / "x.log").symlink_to("/dev/zero")


def dangling(folder: Path) -> None:
    (folder / "x.log").symlink_to("nowhere")


def dangling_of_the_collector(folder: Path) -> None:
    (folder / "9-1.jsonl").symlink_to("nowhere")


def loop_of_links(folder: Path) -> None:
    (folder / "x.log").symlink_to("x.log")


def giant(folder: Path) -> None:
    with (folder / "x.log").open("wb") as file:
        file.truncate(records.LARGEST + 1)


def other_encoding(folder: Path) -> None:
    (folder / "9-1.jsonl").write_bytes((folder / LINES).read_text().encode("utf-16"))


def no_objects(folder: Path) -> None:
    (folder / "9-1.jsonl").write_text('[1]\n"e"\n3\nnull\n')


def no_times(folder: Path) -> None:
    (folder / "9-1.jsonl").write_text('{"e": "end"}\n{"t": 1.0}\n{"e": 3, "t": 1.0}\n{"e": "end", "t": 1e999}\n')


def missing_keys(folder: Path) -> None:
    (folder / "9-1.jsonl").write_text('{"e": "region", "t": 1.0}\n{"e": "convert", "t": 1.0}\n')


def a_text_as_rank(folder: Path) -> None:
    (folder / "9-1.jsonl").write_text('{"e": "process", "t": 1.0, "pid": 9, "parent": 1, "argv": [], "rank": "zero"}\n')


def no_samples(folder: Path) -> None:
    (folder / "9-1.jsonl").write_text('{"e": "samples", "t": 1.0, "total": 0, "backward": 0, "lines": []}\n')


def too_deep(folder: Path) -> None:
    (folder / "9-1.jsonl").write_text('{"e": "end", "t": 1.0, "x": ' + "[" * 900 + "]" * 900 + "}\n")


def far_too_deep(folder: Path) -> None:
    (folder / "9-1.jsonl").write_text("[" * 100_000 + "\n")


def half_a_record(folder: Path) -> None:
    text = (folder / LOG).read_text()
    (folder / LOG).write_text(text + PREFIX + '{"compilation_metrics": {"co_na\n')


def other_shapes(folder: Path) -> None:
    bodies = ('{"artifact": 3}', '{"artifact": {}}', '{"str": 1}', '{"dynamo_start": {"stack": [{"line": "x"}]}}')
    (folder / LOG).write_text((folder / LOG).read_text() + "".join(f"{PREFIX}{body}\n" for body in bodies))


def not_written(folder: Path) -> None:
    (folder / LINES).rename(folder / "7-1-28.jsonl")


@pytest.mark.parametrize(
    ("damage", "named"),
    [
        (fifo, "x.log: Not a regular file"),
        (fifo_of_the_collector, "9-1.jsonl: Not a regular file"),
        (endless, "x.log: Not a regular file"),
        (dangling, "x.log: No such file or directory"),
        (dangling_of_the_collector, "9-1.jsonl: No such file or directory"),
        (loop_of_links, "x.log: Too many levels of symbolic links"),
        (giant, "x.log: Larger than"),
        (other_encoding, "damaged record of the collector"),
        (no_objects, "damaged record of the collector"),
        (no_times, "damaged record of the collector"),
        (missing_keys, "convert: Object missing required field"),
        (a_text_as_rank, "process: Expected `int | null`, got `str`"),
        (no_samples, "samples: Expected `int`"),
        (too_deep, "end"),
        (far_too_deep, "damaged record of the collector"),
        (half_a_record, "damaged compilation_metrics"),
        (other_shapes, "artifact: Expected `object`"),
        (not_written, "not written: No space left on device"),
    ],
)
def test_what_is_lost_is_named_and_the_rest_is_reported(
    folder: Path, damage: Callable[[Path], None], named: str
) -> None:
    damage(folder)
    report = reported(read_run(folder))
    if damage is too_deep:  # Python's limits decide whether that is a record of a process
        assert named in str((report.lost, report.unknown))
        return
    assert any(name.startswith(named) for name, _ in report.lost), report.lost
    assert report.counts == Counts()
    assert "0/1" in {version.compile.id for version in report.recompiles}
    for form in (report_text(report), report_html(report), report_to_json(report)):
        assert named.partition("`")[0] in form
    assert report_text(report).splitlines()[1].startswith("records are missing")


def test_what_is_no_trace_is_named_and_takes_nothing_away(folder: Path) -> None:
    (folder / "app.log").write_bytes("started\n".encode("utf-16"))
    (folder / "folder.log").mkdir()
    (folder / "²-1.jsonl").write_text("{}")
    report = reported(read_run(folder))
    assert (report.lost, report.unknown) == ((), (("app.log: no record of torch's", 1),))
    assert report.counts.compiles == 1


def test_a_record_of_a_hundred_kinds_is_named_in_short(folder: Path) -> None:
    with (folder / LINES).open("a") as file:
        file.writelines(json.dumps({"e": f"kind-{number}" * 100, "t": 1.0}) + "\n" for number in range(3000))
    report = reported(read_run(folder))
    assert sum(count for _, count in report.unknown) == 3000 and len(report.unknown) <= 1001
    assert "3000 records of kinds" in report_text(report) and len(report_text(report)) < 8000


@pytest.mark.parametrize("name", ["../secret.json", "/etc/passwd", "7-p.json/../../secret.json", "fifo"])
def test_a_profile_is_read_from_the_folder_alone(folder: Path, name: str) -> None:
    (folder.parent / "secret.json").write_text(json.dumps(PROFILE))
    os.mkfifo(folder / "fifo")
    collected = [record | {"file": name} if record["e"] == "profile" else record for record in COLLECTED]
    report = reported(read_run(write(folder, collected=collected)))
    assert report.profile is None and "can't be read" in report.not_profiled


def test_long_lines_are_cut_and_said(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(structured, "LONGEST", 2000)
    monkeypatch.setattr(records, "LONGEST", 2000)
    monkeypatch.setattr(structured, "_LONGEST_PAYLOAD", 3000)
    graph = ({"dynamo_output_graph": {"sizes": {}}, **IDS}, f"{GRAPH}\n{'x' * 5000}\n" + "y" * 1000)
    metrics = ({"compilation_metrics": {"co_name": "x" * 5000}, **IDS}, "")
    unread = ({"create_symbol": {"symbol": "x" * 5000}, **IDS}, "")
    write(folder, [*TRACE, graph, metrics, unread], [*COLLECTED, {"e": "log", "t": 1.0, "text": "x" * 5000}])
    report = reported(read_run(folder))
    assert dict(report.lost) == {
        "payload of dynamo_output_graph after 3,000 bytes": 1,
        "damaged compilation_metrics": 1,
        "a record of the collector that is longer than 2,000 bytes": 1,
    }


#: Reads a folder, and prints how many bytes of memory it took at its peak.
MEASURED = """
import pathlib, resource, sys
from compile_lessons.trace.read import read_run
peak = lambda: 1024 * resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
before = peak()
run = read_run(pathlib.Path(sys.argv[1]), listings=True)
print(peak() - before, [name for process in run.processes for name, _ in process.lost])
"""


@pytest.mark.parametrize(
    ("begin", "lost"),
    [
        (f"{PREFIX}{json.dumps(TRACE[4][0])}\n\t", "payload of dynamo_output_graph after 33,554,432 bytes"),
        (PREFIX + '{"compilation_metrics": {"co_name": "', "damaged compilation_metrics"),
        (f'{PREFIX}{{"create_symbol": {{"symbol": "', None),
        ("no record: ", None),
    ],
)
def test_a_line_takes_a_bounded_amount_of_memory(folder: Path, begin: str, lost: str | None) -> None:
    """200 MB, of which a reader that kept the line would need several times as much."""
    with (folder / LOG).open("a") as file:
        file.write(begin)
        for _ in range(200):
            file.write("x = y; " * 150_000)
        file.write("\n")
    done = subprocess.run([sys.executable, "-c", MEASURED, folder], capture_output=True, text=True, check=True)
    taken, _, names = done.stdout.partition(" ")
    assert int(taken) < 120e6
    assert names == f"{[lost] if lost else []}\n"


NASTY = (None, -1, 10**30, float("inf"), float("nan"), "", "\0", "\ud800", [], {}, [[]], ["a", 1, "f"], True)


def places(value: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    inside = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    return [path, *(place for key, item in inside for place in places(item, (*path, key)))]


def replaced(value: Any, path: tuple[Any, ...], new: Any) -> Any:
    if not path:
        return new
    copy = dict(value) if isinstance(value, dict) else list(value)
    copy[path[0]] = replaced(value[path[0]], path[1:], new)
    return copy


def test_any_value_of_a_record_may_be_another_one(folder: Path) -> None:
    """Each value of each record, one after another, is replaced; and no form of the report fails."""
    values = itertools.cycle(NASTY)
    for index, record in enumerate(COLLECTED):
        for place in places(record):
            changed = [*COLLECTED[:index], replaced(record, place, next(values)), *COLLECTED[index + 1 :]]
            reported(read_run(write(folder, collected=changed)), html=False)
    for index, (data, payload) in enumerate(TRACE):
        for place in places(data):
            trace = [*TRACE[:index], (replaced(data, place, next(values)), payload), *TRACE[index + 1 :]]
            reported(read_run(write(folder, trace, [])), html=False)
