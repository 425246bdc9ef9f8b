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
#: Records of the collector, one of each kind.
COLLECTED: list[dict[str, Any]] = [
    json.loads(line) for line in Path(__file__).with_name("collected.jsonl").read_text().splitlines()
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


def link(target: str) -> Callable[[Path], object]:
    return lambda path: path.symlink_to(target)


def text(content: str, encoding: str = "utf-8") -> Callable[[Path], object]:
    return lambda path: path.write_bytes(content.encode(encoding))


def added(*lines: str) -> Callable[[Path], object]:
    return lambda path: path.write_text(path.read_text() + "".join(f"{PREFIX}{line}\n" for line in lines))


def giant(path: Path) -> None:
    path.touch()
    os.truncate(path, records.LARGEST + 1)


OTHER, DAMAGED = "9-1.jsonl", "damaged record of the collector"
RANK = '{"e": "process", "t": 1.0, "pid": 9, "parent": 1, "argv": [], "rank": "zero"}\n'
KEYS = '{"e": "region", "t": 1.0}\n{"e": "convert", "t": 1.0}\n'
SAMPLES = '{"e": "samples", "t": 1.0, "total": 0, "backward": 0, "lines": []}\n'
SHAPES = ('{"artifact": 3}', '{"artifact": {}}', '{"str": 1}', '{"dynamo_start": {"stack": [{"line": "x"}]}}')
#: A file that is made or changed, how, and what the report names.
DAMAGES: dict[str, tuple[str, Callable[[Path], object], str]] = {
    "pipe": ("x.log", os.mkfifo, "x.log: Not a regular file"),
    "pipe of the collector": (OTHER, os.mkfifo, f"{OTHER}: Not a regular file"),
    "endless": ("x.log", link("/dev/zero"), "x.log: Not a regular file"),
    "dangling": ("x.log", link("nowhere"), "x.log: No such file or directory"),
    "dangling of the collector": (OTHER, link("nowhere"), f"{OTHER}: No such file or directory"),
    "loop of links": ("x.log", link("x.log"), "x.log: Too many levels of symbolic links"),
    "giant": ("x.log", giant, "x.log: Larger than"),
    "other encoding": (OTHER, text('{"e": "end", "t": 16.0}\n', "utf-16"), DAMAGED),
    "no objects": (OTHER, text('[1]\n"e"\n3\nnull\n'), DAMAGED),
    "no times": (OTHER, text('{"e": "end"}\n{"t": 1.0}\n{"e": 3, "t": 1.0}\n{"e": "end", "t": 1e999}\n'), DAMAGED),
    "missing keys": (OTHER, text(KEYS), "convert: Object missing required field"),
    "a text as rank": (OTHER, text(RANK), "process: Expected `int | null`, got `str`"),
    "no samples": (OTHER, text(SAMPLES), "samples: Expected `int`"),
    "too deep": (OTHER, text('{"e": "end", "t": 1.0, "x": ' + "[" * 900 + "]" * 900 + "}\n"), "end"),
    "far too deep": (OTHER, text("[" * 100_000 + "\n"), DAMAGED),
    "half a record": (LOG, added('{"compilation_metrics": {"co_na'), "damaged compilation_metrics"),
    "other shapes": (LOG, added(*SHAPES), "artifact: Expected `object`"),
    "not written": (
        LINES,
        lambda path: path.rename(path.with_name("7-1-28.jsonl")),
        "not written: No space left on device",
    ),
}


@pytest.mark.parametrize("damage", DAMAGES)
def test_what_is_lost_is_named_and_the_rest_is_reported(folder: Path, damage: str) -> None:
    name, change, named = DAMAGES[damage]
    change(folder / name)
    report = reported(read_run(folder))
    if damage == "too deep":  # Python's limits decide whether that is a record of a process
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
