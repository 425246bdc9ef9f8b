"""The collector's records and the trace, joined to one list of compiles."""

from __future__ import annotations

import json
from pathlib import Path

from compile_lessons.trace.read import read_run

IDS = '"frame_id": 0, "frame_compile_id": 0, "attempt": 0'


def convert(start: float, name: str) -> str:
    about = {"reason": None, "nested": None, "call": 1, "region": None, "thread": "MainThread", "main": True}
    code = ["/work/train.py", 4, name]
    times = {"t": start + 1.0, "seconds": 1.0}
    known = {"frame": 0, "number": 0, "who": 0, "outcome": "compiled", "stack": []}
    return json.dumps({"e": "convert", "code": code, **times, **known, **about}) + "\n"


def test_after_a_reset_each_compile_has_its_own_stages_and_breaks(tmp_path: Path) -> None:
    """The collector leaves out the second of three compiles that torch calls 0/0."""
    (tmp_path / "7-1.jsonl").write_text(convert(10.0, "first") + convert(30.0, "third"))
    lines = []
    for number, start in enumerate((10.0, 20.0, 30.0), 1):
        metrics = json.dumps({"start_time": start, "dynamo_cumulative_compile_time_us": number * 1e6})
        lines.append('{"dynamo_start": {"stack": []}, ' + IDS + "}")
        lines.append('{"compilation_metrics": ' + metrics + ", " + IDS + "}")
    prefix = "V1127 02:55:03.035000 7 torch/_dynamo/utils.py:2350] "
    (tmp_path / "dedicated_log_torch_trace_ab.log").write_text("".join(f"{prefix}{line}\n" for line in lines))
    (process,) = read_run(tmp_path).processes
    found = [(item.id, item.name, item.stages["Dynamo"]) for item in process.compiles]
    assert found == [("0/0", "first", 1.0), ("0/0#3", "third", 3.0)]


def test_the_collectors_repeated_lines_have_operations_and_the_traces_have_none(tmp_path: Path) -> None:
    known = json.loads(convert(10.0, "first"))
    lines = json.dumps(known | {"repeated": [["/work/model.py", 5, "forward", 24, 48]]}) + "\n"
    (tmp_path / "7-1.jsonl").write_text(lines)
    (item,) = read_run(tmp_path).processes[0].compiles
    assert [(found.line.line, found.copies, found.operations) for found in item.repeated] == [(5, 24, 48)]


def test_a_compile_that_was_under_way_when_the_program_was_killed(tmp_path: Path) -> None:
    prefix = "V1127 02:55:03.035000 7 torch/_dynamo/utils.py:2350] "
    event = {"name": "entire_frame_compile", "ts": 1000e6, "args": {"fn_name": "compile"}, "ph": "B", "tid": 0}
    payload = "".join(f"\t{line}\n" for line in json.dumps(event, indent=0).splitlines())
    stack = [{"filename": 1, "line": 40, "name": "<module>"}, {"filename": 1, "line": 12, "name": "forward"}]
    start = '{"dynamo_start": {"stack": ' + json.dumps(stack) + "}, " + IDS + "}\n"
    lines = [f'{prefix}{{"str": ["/work/model.py", 1]}}\n', f'{prefix}{{"chromium_event": {{}}, {IDS}}}\n{payload}']
    path = tmp_path / "dedicated_log_torch_trace_ab.log"
    path.write_text("".join([*lines, prefix + start]))
    (item,) = read_run(tmp_path, ended=1075.0).processes[0].compiles
    assert (item.outcome, item.start, item.seconds) == ("failed", 1000.0, 75.0)
    assert (item.code.file, item.code.line, item.code.function) == ("/work/model.py", 12, "forward")
    assert [place.line for place in item.stack] == [40]
    metrics = '{"compilation_metrics": {"start_time": 1000.0}, ' + IDS + "}\n"
    path.write_text("".join([*lines, prefix + start, prefix + metrics]))
    (done,) = read_run(tmp_path, ended=1075.0).processes[0].compiles
    assert done.outcome == "compiled"
