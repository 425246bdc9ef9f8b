"""A trace from somebody else names files of this machine: none of them is opened, but below folders that are named."""

import os
import subprocess
import sys
from pathlib import Path

import pytest
from test_malformed import write

from compile_lessons.facts.source import only_below, source_line

SECRET = "launch code 4711"
#: Prints each file that the command opens, as an audit hook sees it.
AUDITED = """
import sys
opened = []
sys.addaudithook(lambda event, args: opened.append(args[0]) if event == "open" else None)
from compile_lessons.commands.cli import app
try:
    app()
finally:
    print(*opened, sep="\\n", file=sys.stderr)
"""


@pytest.fixture
def secret(tmp_path: Path) -> Path:
    file = tmp_path / "secret.py"
    file.write_text("\n" * 6 + f"{SECRET}\n" * 3)
    return file


@pytest.fixture
def trace(tmp_path: Path, secret: Path) -> Path:
    """A folder whose records, of the collector too, have a file of the reader's in place of the program's."""
    folder = write(tmp_path / "trace")
    for file in folder.iterdir():
        file.write_text(file.read_text().replace("/work/a.py", str(secret)))
    return folder


def diagnosed(trace: Path, *options: str) -> tuple[str, str]:
    """Return all forms of the report, and the files that the command opened."""
    forms = [trace.parent / name for name in ("r.txt", "r.html", "r.json")]
    written = [word for form in forms for word in (f"--{form.suffix[1:].replace('txt', 'text')}", str(form))]
    command = [sys.executable, "-c", AUDITED, "diagnose", *written, *options, "--trace", str(trace)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr
    return done.stdout + "".join(form.read_text() for form in forms), done.stderr


def test_no_file_that_a_trace_names_is_opened(trace: Path, secret: Path) -> None:
    report, opened = diagnosed(trace)
    assert SECRET not in report and str(secret) not in opened
    assert "secret.py:7" in report and "return x @ x" in report  # the line is the trace's own


def test_lines_below_a_folder_that_is_named_are_shown(trace: Path, secret: Path) -> None:
    report, opened = diagnosed(trace, "--sources", str(secret.parent))
    assert SECRET in report and str(secret) in opened


def test_a_link_below_the_folder_leads_nowhere_else(trace: Path, secret: Path) -> None:
    sources = secret.parent / "sources"
    sources.mkdir()
    (sources / "a.py").symlink_to(secret)
    for file in trace.iterdir():
        file.write_text(file.read_text().replace(str(secret), str(sources / "a.py")))
    report, opened = diagnosed(trace, "--sources", str(sources))
    assert SECRET not in report and str(secret) not in opened


@pytest.mark.parametrize("name", ["../secret.py", "sources/../secret.py", "sources-2/a.py", "a\0b.py", "\udcff.py", ""])
def test_no_other_path_leads_out_of_the_folder(tmp_path: Path, secret: Path, name: str) -> None:
    sources = tmp_path / "sources"
    sources.mkdir()
    (tmp_path / "sources-2").mkdir()
    (tmp_path / "sources-2" / "a.py").write_text(secret.read_text())
    with only_below([sources]):
        assert source_line(str(sources / name) if name.startswith("..") else str(tmp_path / name), 7) == ""
        assert source_line("os.py", 1) == ""  # which linecache would find as a module


def test_a_file_that_never_ends_is_no_source(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "fifo.py")
    assert source_line(str(tmp_path / "fifo.py"), 1) == source_line("/dev/zero", 1) == ""
    with only_below([tmp_path]):
        assert source_line(str(tmp_path / "fifo.py"), 1) == ""


def test_what_the_trace_tells_of_a_line_holds_wherever_the_line_is_named() -> None:
    with only_below([]):
        assert source_line("/work/a.py", 8) == ""
        source_line("/work/a.py", 8, "  return x @ x")
        assert source_line("/work/a.py", 8) == "return x @ x"
    assert source_line("/work/a.py", 8) == ""


def test_sources_are_for_a_trace(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "compile_lessons", "diagnose", "--sources", str(tmp_path), "train.py"]
    done = subprocess.run(command, capture_output=True, text=True)
    assert (done.returncode, done.stderr.splitlines()[0]) == (2, "error: --sources is for --trace")
