"""The collector's records and the trace, joined to one list of compiles."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

from compile_lessons.facts.run import Run
from compile_lessons.trace.read import read_run

IDS = '"frame_id": 0, "frame_compile_id": 0, "attempt": 0'


def convert(start: float, name: str, **fields: Any) -> str:
    known = {"id": "0/0", "frame": 0, "number": 0, "outcome": "compiled", "start": start, "seconds": 1.0}
    compile = known | {"code": ["/work/train.py", 4, name], "name": name}
    return json.dumps({"e": "convert", "t": start + 1.0, "who": 0, "compile": compile, **fields}) + "\n"


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
    repeated = [{"line": ["/work/model.py", 5, "forward"], "copies": 24, "operations": 48}]
    (tmp_path / "7-1.jsonl").write_text(convert(10.0, "first", repeated=repeated))
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


def test_what_is_not_known_is_counted_and_a_line_that_is_cut_off_is_not(tmp_path: Path) -> None:
    """A program that was killed leaves half a line."""
    records = convert(10.0, "first", color="red") + '{"e":"color","t":11.0}\n' + '{"e":"process","t":12'
    (tmp_path / "7-1.jsonl").write_text(records)
    prefix = "V1127 02:55:03.035000 7 torch/_dynamo/utils.py:2350] "
    stack = '[{"filename": 1, "line": 4, "name": "step"}]'
    lines = [
        '{"graph_move": {"from": 1}, ' + IDS + "}",
        '{"create_symbol": {"symbol": "s0"}, ' + IDS + "}",  # known, and not read
        '{"dynamo_start": {"stack": ' + stack + '}, "color": "red", ' + IDS + "}",
        '{"compilation_metrics": {"ir_count": 3, "mood": 1, "duration_us": 5}, ' + IDS + "}",
        '{"compilation_metrics": {"duration_us": [5]}, ' + IDS + "}",
        '{"compilation_met',
    ]
    (tmp_path / "dedicated_log_torch_trace_ab.log").write_text("\n".join(prefix + line for line in lines))
    (process,) = read_run(tmp_path).processes
    assert dict(process.unknown) == {
        "color": 1,
        "convert.color": 1,
        "graph_move": 1,
        "context.color": 1,
        "compilation_metrics.mood": 1,
    }
    assert dict(process.lost) == {"compilation_metrics: Expected `float | null`, got `array` - at `$.duration_us`": 1}


def diagnosed(program: Path, *options: str) -> tuple[Run, bytes]:
    """Return the facts of a run of ``diagnose`` on a program, and what it printed."""
    folder = program.with_name("trace")
    command = [sys.executable, "-m", "compile_lessons", "diagnose", "--keep", str(folder), *options, str(program)]
    done = subprocess.run(command, check=True, capture_output=True, timeout=240, cwd=program.parent)
    return read_run(folder), done.stdout


def test_a_forked_process_describes_the_regions_that_it_calls(tmp_path: Path) -> None:
    """Its calls are in a file of its own, with the line that forked it."""
    program = tmp_path / "program.py"
    program.write_text(
        "import os\n\nimport torch\n\nf = torch.compile(lambda x: x + 1, backend='eager')\n"
        "g = torch.compile(lambda x: x)\n"
        "pid = os.fork()\nif not pid:\n    f(torch.ones(1))\n    os._exit(0)\nos.waitpid(pid, 0)\n"
    )
    processes = diagnosed(program)[0].processes
    parent, child = sorted(processes, key=lambda process: bool(process.forked_at))
    assert [region.calls for region in parent.regions] == [0, 0]
    assert [(region.id, region.calls) for region in child.regions] == [(1, 1)]
    assert child.fork and (child.fork.file, child.fork.line) == (str(program), 7)


def test_what_is_exported_and_packaged_is_written_down(tmp_path: Path) -> None:
    program = tmp_path / "program.py"
    program.write_text(
        "import torch\n\nprogram = torch.export.export(torch.nn.Linear(2, 2), (torch.ones(3, 2),))\n"
        "program.run_decompositions()\n"
        "torch._inductor.aoti_compile_and_package(program, package_path='model.pt2')\n"
    )
    (process,) = diagnosed(program)[0].processes
    (export,) = process.exports
    assert export.inputs == (("input", ("3", "2")),) and export.line and export.line.line == 3
    assert [item.trigger for item in process.intervals] == ["AOTINDUCTOR"]


def test_where_a_program_is_between_calls_is_seen_since_the_last_compile(tmp_path: Path) -> None:
    program = tmp_path / "program.py"
    program.write_text(
        "import time\n\nimport torch\n\nf = torch.compile(lambda x: x + 1, backend='eager')\n"
        "time.sleep(0.3)\nf(torch.ones(2))\nf(torch.ones(2, 2))\nfor _ in range(30):\n    time.sleep(0.1)\n"
        "    f(torch.ones(2))\n"
    )
    (process,) = diagnosed(program)[0].processes
    line, share = process.between[0]
    assert (line.file, line.line) == (str(program), 10) and share > 0.5 and process.looked > 3
    assert 6 not in [line.line for line, _ in process.between], "that was before the last compile"


def test_what_is_printed_is_read_where_two_runs_are_compared(tmp_path: Path) -> None:
    program = tmp_path / "program.py"
    program.write_text("import torch\n\nprint('a', 1, end='')\nprint('\\rb', 2)\nprint('no end', end='')\n")
    run, printed = diagnosed(program, "--compare", "eager")
    assert printed == 2 * b"a 1\rb 2\nno end"
    (process,) = run.processes
    assert process.printed == ("b 2",)
