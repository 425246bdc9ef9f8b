"""What ``diagnose`` could not see is not zero: processes that hide, disks that are full, folders of the user's own."""

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from compile_lessons.commands import diagnose as module
from compile_lessons.commands.cli import app

#: Compiles twice, and then reaches the limit: 4 of 6 calls run in eager mode, and each version has a graph break.
PROGRAM = """
import torch

@torch.compile(backend="eager", dynamic=False)
def step(x):
    if x.sum() > 0:
        x = x * 2
    return x + 1

torch._dynamo.config.recompile_limit = 2
for size in range(2, 8):
    step(torch.ones(size))
print("done")
"""


@pytest.fixture
def program(tmp_path: Path) -> Path:
    file = tmp_path / "train.py"
    file.write_text(PROGRAM)
    return file


def diagnose(
    folder: Path, *words: str | Path, status: int = 0, **environment: str
) -> tuple[dict[str, Any], list[str], str]:
    """Return the report of a real run as JSON, its lines as text, and what else was on standard error."""
    forms = ["--json", "r.json", "--text", "r.txt", "--html", "r.html"]
    command = [sys.executable, "-m", "compile_lessons", "diagnose", *forms, *map(str, words)]
    env = {**os.environ, **environment}
    done = subprocess.run(command, cwd=folder, env=env, capture_output=True, text=True, timeout=300)
    assert done.returncode == status, done.stderr
    text = (folder / "r.txt").read_text()
    assert done.stderr.endswith(text)
    return json.loads((folder / "r.json").read_text()), text.splitlines(), done.stderr.removesuffix(text)


CALLS = ("eager_calls", "calls")


def test_what_is_seen_is_counted(program: Path) -> None:
    report, lines, _ = diagnose(program.parent, program, RANK="zero")
    counts = {"compiles": 4, "recompiles": 2, "limits": 1, "eager_calls": 4, "calls": 6}
    assert {name: report["counts"][name] for name in counts} == counts
    assert report["lost"] == [] and "not seen" not in "".join(lines[:3])


def test_calls_of_a_process_that_hides_are_unknown(program: Path) -> None:
    """``-I`` hides ``PYTHONPATH``, and with it the collector. Torch writes its trace."""
    asked = ["--fail-if", "eager_calls>0", "--", sys.executable, "-I", program]
    report, lines, _ = diagnose(program.parent, *asked, status=2)
    assert [report["counts"][name] for name in CALLS] == [None, None]
    assert (report["counts"]["compiles"], report["counts"]["limits"]) == (4, 1)
    assert (report["seconds"]["compiled"], report["seconds"]["eager"]) == (None, None)
    assert "calls of compiled code were not seen" in lines[0]
    assert lines[1].startswith(f"only the trace of process {report['processes'][0]['pid']} was seen")
    assert lines[-1] == "--fail-if: eager_calls>0 can't be decided, as eager_calls was not seen"
    html = (program.parent / "r.html").read_text()
    assert "was seen, not its calls: python -I" in html
    assert "compiled code not seen, eager mode not seen" in html and "its calls were not seen" in html


def test_a_child_that_hides_makes_the_counts_of_all_unknown(program: Path) -> None:
    parent = program.with_name("parent.py")
    parent.write_text(f"{PROGRAM}\nimport subprocess, sys\nsubprocess.run([sys.executable, '-I', 'train.py'])\n")
    report, lines, _ = diagnose(program.parent, "--fail-if", "calls>1000", parent, status=2)
    assert len(report["processes"]) == 2
    assert [report["counts"][name] for name in CALLS] == [None, None]
    assert any(line.startswith("only the trace of process") for line in lines[:2])
    cells = [f">{cell}</td>" for cell in ("6", "4", "not seen")]
    assert all(cell in (program.parent / "r.html").read_text() for cell in cells)


@pytest.mark.parametrize("options", [["-c", "pass"], ["-I", "-c", "import torch"]])
def test_nothing_is_known_if_no_process_was_seen(tmp_path: Path, options: list[str]) -> None:
    asked = ["--fail-if", "calls>0,compiles>0,findings>0", "--", sys.executable, *options]
    report, lines, _ = diagnose(tmp_path, *asked, status=2)
    assert set(report["counts"].values()) == {None}
    assert {name for name, value in report["seconds"].items() if value is not None} == {"total"}
    assert lines[0].endswith("s: no process was seen") and lines[1].startswith("no process imported torch where")
    assert sum("can't be decided" in line for line in lines) == 3


def test_the_status_of_a_program_that_failed_comes_first(tmp_path: Path) -> None:
    diagnose(tmp_path, "--fail-if", "calls>0", "--", sys.executable, "-c", "raise SystemExit(5)", status=5)


def test_a_trace_from_elsewhere_has_no_calls(program: Path) -> None:
    traces = program.parent / "traces"
    env = {**os.environ, "TORCH_TRACE": str(traces)}
    subprocess.run([sys.executable, program], env=env, check=True, capture_output=True)
    report, _, _ = trace(program.parent, traces, "--fail-if", "calls>0", status=2)
    assert [report["counts"][name] for name in CALLS] == [None, None]
    assert trace(program.parent, traces, "--fail-if", "compiles>4,findings>9")[0]["counts"]["compiles"] == 4


def trace(folder: Path, traces: Path, *options: str, status: int = 0) -> tuple[dict[str, Any], str, str]:
    arguments = ["diagnose", "--json", str(folder / "t.json"), *options, "--trace", str(traces)]
    done = CliRunner().invoke(app, arguments)
    assert done.exit_code == status, done.output
    return json.loads((folder / "t.json").read_text()), done.stdout, done.stderr


@pytest.mark.parametrize("rank", ["", "²", "-1", "9" * 400, "3"])
def test_a_rank_that_is_no_number_loses_no_process(tmp_path: Path, rank: str) -> None:
    report, _, _ = diagnose(tmp_path, "--", sys.executable, "-c", "import torch", RANK=rank)
    assert [process["rank"] for process in report["processes"]] == [3 if rank == "3" else None]


# ------------------------------------------------------------------------------------------------ full disks


def assert_said_that_records_are_missing(report: dict[str, Any], lines: list[str], rest: str, why: str) -> None:
    assert "Logging error" not in rest and "Traceback" not in rest
    assert report["lost"] == [[f"not written: {why}", 1]]
    assert set(report["counts"].values()) == {None}
    assert lines[1].startswith("records are missing") and why in lines[1]
    assert "ended" not in "".join(found["what"] for found in report["findings"])


def test_files_that_may_not_grow(program: Path) -> None:
    """As on a full disk, or over a quota; without the rights of root."""
    limit = "import resource; resource.setrlimit(resource.RLIMIT_FSIZE, (60_000, 60_000))"
    program.write_text(f"{limit}\n{PROGRAM}")
    report, lines, rest = diagnose(program.parent, "--fail-if", "compiles>4", program, status=2)
    assert_said_that_records_are_missing(report, lines, rest, "File too large")


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    folder = tmp_path / "disk"
    folder.mkdir()
    mounted = subprocess.run(["mount", "-t", "tmpfs", "-o", "size=80k", "tmpfs", folder], capture_output=True)
    if mounted.returncode:
        pytest.skip("no right to mount a file system")
    yield folder
    subprocess.run(["umount", folder], check=True)


def test_a_full_disk(program: Path, small_disk: Path) -> None:
    report, lines, rest = diagnose(program.parent, program, TMPDIR=str(small_disk))
    assert_said_that_records_are_missing(report, lines, rest, "No space left on device")


# ------------------------------------------------------------------------------------------------ the user's folders


@pytest.mark.parametrize("variable", ["TORCH_TRACE", "TORCH_DTRACE", "TORCH_COMPILE_DEBUG"])
def test_a_trace_of_the_users_own_is_written_too(program: Path, variable: str) -> None:
    traces = program.parent / ("torch_compile_debug/tlparse" if variable == "TORCH_COMPILE_DEBUG" else "traces")
    value = "1" if variable == "TORCH_COMPILE_DEBUG" else str(traces)
    report, _, _ = diagnose(program.parent, program, **{variable: value})
    assert report["counts"]["breaks"] == 1 and report["lost"] == []
    own, _, _ = trace(program.parent, traces)
    assert own["counts"]["compiles"] == report["counts"]["compiles"] == 4


@pytest.mark.parametrize("line", ["os.environ['TORCH_TRACE'] = 'own'", "del os.environ['TORCH_TRACE']"])
def test_a_program_that_chooses_another_folder_itself_is_seen(program: Path, line: str) -> None:
    program.write_text(f"import os; {line}\n{PROGRAM}")
    report, _, _ = diagnose(program.parent, program)
    assert report["counts"]["breaks"] == 1
    assert len(list(program.parent.glob("own/*.log"))) == (1 if "own" in line else 0)


def test_an_empty_variable_is_none(program: Path) -> None:
    assert diagnose(program.parent, program, TORCH_TRACE="")[0]["counts"]["breaks"] == 1


@pytest.mark.parametrize("kind", ["below a file", "a file", "read-only"])
def test_a_folder_to_keep_that_cannot_be_written(tmp_path: Path, kind: str) -> None:
    (tmp_path / "file").write_text("")
    keep = {"below a file": tmp_path / "file" / "x", "a file": tmp_path / "file", "read-only": Path("/proc/self/x")}
    arguments = [
        "diagnose",
        "--keep",
        str(keep[kind]),
        "--",
        sys.executable,
        "-c",
        f"open({str(tmp_path / 'ran')!r}, 'w')",
    ]
    done = CliRunner().invoke(app, arguments)
    assert (done.exit_code, (tmp_path / "ran").exists()) == (2, False)
    assert done.stderr.startswith("error: --keep: ") and "Fix: name a new folder" in done.stderr


def test_a_folder_to_keep_stays_where_it_is_when_the_program_moves(program: Path) -> None:
    program.write_text(f"import os; os.chdir('/')\n{PROGRAM}")
    report, _, _ = diagnose(program.parent, "--keep", "kept", program)
    assert report["counts"]["calls"] == 6 and len(list((program.parent / "kept").glob("*.jsonl"))) == 1


@pytest.mark.parametrize(("ends", "asked", "status"), [(0, [], 0), (7, [], 7), (0, ["--fail-if", "calls>0"], 2)])
def test_our_own_fault_loses_neither_the_records_nor_the_status(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, ends: int, asked: list[str], status: int
) -> None:
    def fail(*arguments: object, **named: object) -> None:
        raise ZeroDivisionError("ours")

    monkeypatch.setenv("TMPDIR", str(tmp_path))
    monkeypatch.setattr("tempfile.tempdir", None)
    monkeypatch.setattr(module, "report_of", fail)
    program = f"import torch; raise SystemExit({ends})"
    done = CliRunner().invoke(app, ["diagnose", *asked, "--", sys.executable, "-c", program])
    assert done.exit_code == status
    assert "ZeroDivisionError: ours" in done.stderr
    assert f"which ended with status {ends}" in done.stderr
    (kept,) = tmp_path.glob("*-kept")
    assert f"Its records are in {kept}" in done.stderr and len(list(kept.glob("*.jsonl"))) == 1
