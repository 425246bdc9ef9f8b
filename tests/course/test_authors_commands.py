"""The authors' command: what it runs, what it says, how it ends; and that nothing outlives it, however it is ended."""

import json
import os
import signal
import subprocess
import time
from collections.abc import Callable
from pathlib import Path

import psutil
import pytest
from typer.testing import CliRunner

from compile_lessons.course.cli import _names, app
from compile_lessons.course.records.plan import plan
from compile_lessons.course.records.store import Store
from compile_lessons.course.site.pages import read_pages
from compile_lessons.ground.project import CACHE_VARIABLE, Project
from compile_lessons.runs.machine import cxx_compiler
from projects import command_line, record_of, write_project

PAGE = '# One\n\n```python exec="1"\nsnippet("one/a.py")\n```\n\nValue `#!value one/b.py:x`.\n'
FILES = {
    "docs/index.md": PAGE,
    "snippets/one/a.py": "print('a')\n",
    "snippets/one/b.py": "x = 1\n",
    "snippets/one/_helper.py": "",
    "snippets/two/c.py": "print('c')\n",
    "snippets/d.py": "print('d')\n",
}


def cli(project: Project, *arguments: str, monkeypatch: pytest.MonkeyPatch | None = None) -> tuple[int, str]:
    """Exit status and all that is printed."""
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(project.root)
        patch.delenv(CACHE_VARIABLE, raising=False)
        result = CliRunner().invoke(app, list(arguments))
    return result.exit_code, result.output


@pytest.fixture(scope="module")
def ran(tmp_path_factory: pytest.TempPathFactory) -> Project:
    """A project whose snippets have all run."""
    project = write_project(tmp_path_factory.mktemp("cli"), FILES)
    status, output = cli(project, "run", "--no-fork")
    assert status == 0
    assert "4 snippets in" in output and "4 ran, 0 unchanged" in output
    return project


@pytest.mark.parametrize(
    ("path", "count"),
    [
        ("", 4),
        ("snippets", 4),
        ("snippets/one", 2),
        ("snippets/one/", 2),
        ("one/", 2),
        ("snippets/one/a.py", 1),
        ("./snippets/one/a.py", 1),
        ("one/a.py", 1),
        ("two", 1),
        ("docs/index.md", 2),
    ],
)
def test_paths(ran: Project, path: str, count: int) -> None:
    status, output = cli(ran, "run", *([path] if path else []))
    assert status == 0
    assert output.startswith(f"{count} snippet") and f"0 ran, {count} unchanged" in output


def test_all_run_in_the_order_of_the_menu(make_project: Callable[..., Project]) -> None:
    menu = "site_name: Test\nplugins:\n  - one: b.md\nnav:\n  - Part: c.md\n  - a.md\n"
    pages = {f"docs/{name}.md": f'```python exec="1"\nsnippet("{name}/x.py")\n```\n' for name in "abc"}
    project = make_project({"mkdocs.yml": menu, **pages, **{f"snippets/{name}/x.py": "1\n" for name in "abc"}})
    assert _names(project, [], read_pages(project)[0]) == ["c/x.py", "a/x.py", "b/x.py"]


def test_several_paths_name_a_snippet_once(ran: Project) -> None:
    assert cli(ran, "run", "one", "snippets/one/a.py", "d.py")[1].startswith("3 snippets in ")


@pytest.mark.parametrize("path", ["nothing.py", "snippets/on", "docs/other.md", "snippets/one/_helper.py", "/etc"])
def test_wrong_path(ran: Project, path: str) -> None:
    status, output = cli(ran, "run", path)
    assert status == 2
    assert output == f"{path}: no snippet, folder of snippets or page with snippets by that name\n"


def test_force_runs_again(ran: Project) -> None:
    path = Store(ran).path(record_of(ran, "d.py").key)
    before = path.stat().st_mtime_ns
    status, output = cli(ran, "run", "--force", "--no-fork", "d.py")
    assert status == 0 and "1 ran, 0 unchanged" in output
    assert path.stat().st_mtime_ns > before


def test_outside_a_project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    result = CliRunner().invoke(app, ["run"])
    assert result.exit_code == 2
    assert "no mkdocs.yml in" in result.output


def test_failure_names_snippet_line_remedy_and_page(tmp_path: Path) -> None:
    project = write_project(tmp_path, {**FILES, "snippets/one/a.py": "\nraise ValueError('no')\n"})
    status, output = cli(project, "run", "--no-fork")
    assert status == 1
    assert "snippets/one/a.py:2: raised ValueError: no" in output
    assert "Fix: correct it, or declare the exception: 'raises' in its" in output
    assert "shown on docs/index.md:3" in output
    assert record_of(project, "d.py").text == "d\n"


def test_prune(ran: Project) -> None:
    store = Store(ran)
    record = record_of(ran, "d.py")
    old = store.path("0" * 64)
    old.parent.mkdir(parents=True, exist_ok=True)
    old.write_text(record.to_json())
    os.utime(old, (0, 0))
    month_old = ran.cache / "objects" / "ab" / "abc.so"
    fresh = ran.cache / "objects" / "ab" / "new.so"
    month_old.parent.mkdir(parents=True, exist_ok=True)
    for path in (month_old, fresh):
        path.write_text("")
    os.utime(month_old, (0, 0))
    cut_off = ran.cache / "runs" / "tmpold"
    (cut_off / "inductor").mkdir(parents=True)
    (cut_off / "output").write_text("")
    os.utime(cut_off, (0, 0))
    status, output = cli(ran, "cache", "--prune")
    assert status == 0
    assert output.startswith("deleted 3 files\n")
    assert not old.exists() and not month_old.exists() and not cut_off.exists()
    assert fresh.exists()
    assert store.get(plan(ran, "d.py").key) == record
    assert cli(ran, "cache")[1].startswith(f"{ran.cache}: ")


def test_check_exit_status(ran: Project) -> None:
    status, output = cli(ran, "check")
    assert status == 1
    assert "snippets/d.py: no page shows it" in output
    assert "snippets/two/c.py: no page shows it" in output
    assert output.endswith("2 problems\n")


def test_module_is_the_command(ran: Project) -> None:
    process = command_line(ran, "run")
    _, errors = process.communicate(timeout=60)
    assert process.returncode == 0 and "4 unchanged" in errors


SLOW = {
    "snippets/a_quick.py": "print('quick')\n",
    "snippets/slow_1.py": "import subprocess\n\nsubprocess.run(['sleep', '300'])\n",
    "snippets/slow_2.py": "import os, time\n\nif os.fork() == 0:\n    os.setsid()\ntime.sleep(300)\n",
}


def under_way(project: Project, *options: str) -> subprocess.Popen[str]:
    """The command, with the quick snippet recorded and at least one slow one running."""
    process = command_line(project, "run", *options)
    deadline = time.monotonic() + 90
    while time.monotonic() < deadline:
        assert process.poll() is None, process.communicate()
        records = list((project.cache / "records").rglob("*.json"))
        if records and len(below(project)) > 3:
            return process
        time.sleep(0.05)
    raise AssertionError(f"nothing under way: {below(project)}")


def below(project: Project) -> list[str]:
    """Every process that works in the project: whose directory it is, or with its cache in the command."""
    processes = []
    for process in psutil.process_iter():
        try:
            if process.status() != psutil.STATUS_ZOMBIE and Path(process.cwd()).is_relative_to(project.root):
                processes.append(" ".join(process.cmdline()))
        except (psutil.Error, OSError):
            continue
    return processes


def assert_nothing_left(project: Project) -> None:
    deadline = time.monotonic() + 60
    while (left := below(project)) and time.monotonic() < deadline:
        time.sleep(0.1)
    assert left == []


@pytest.mark.parametrize("mode", ["--fork", "--no-fork"])
def test_interrupt(tmp_path: Path, mode: str) -> None:
    """Ctrl-C reaches the whole process group."""
    project = write_project(tmp_path, SLOW)
    process = under_way(project, mode)
    os.killpg(process.pid, signal.SIGINT)
    _, errors = process.communicate(timeout=60)
    assert process.returncode == 130
    assert "interrupted: all processes were stopped; finished records are kept" in errors
    assert "Traceback" not in errors
    assert_nothing_left(project)
    assert record_of(project, "a_quick.py").text == "quick\n"
    assert list((project.cache / "runs").iterdir()) == []
    for path in (project.cache / "records").rglob("*"):
        assert path.is_dir() or json.loads(path.read_text())
    assert cli(project, "run", "a_quick.py")[1].startswith("1 snippet in ")


def test_impatient_interrupt(tmp_path: Path) -> None:
    project = write_project(tmp_path, SLOW)
    process = under_way(project, "--no-fork")
    for _ in range(5):
        os.killpg(process.pid, signal.SIGINT)
        time.sleep(0.02)
    process.communicate(timeout=60)
    assert process.returncode != 0
    assert_nothing_left(project)
    assert record_of(project, "a_quick.py").text == "quick\n"


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGTERM])
def test_killed(tmp_path: Path, number: signal.Signals) -> None:
    project = write_project(tmp_path, SLOW)
    process = under_way(project, "--no-fork")
    process.send_signal(number)
    process.communicate(timeout=60)
    assert_nothing_left(project)
    assert record_of(project, "a_quick.py").text == "quick\n"


def test_two_at_once(tmp_path: Path) -> None:
    """Two commands on one project: both end well, with the same records."""
    files = {f"snippets/s{n}.py": f"import time\n\ntime.sleep(0.05)\nprint({n})\n" for n in range(6)}
    project = write_project(tmp_path, files)
    both = [command_line(project, "run", "--no-fork") for _ in range(2)]
    for process in both:
        _, errors = process.communicate(timeout=120)
        assert process.returncode == 0, errors
    assert [record_of(project, f"s{n}.py").text for n in range(6)] == [f"{n}\n" for n in range(6)]
    assert len(list((project.cache / "records").rglob("*"))) - len(list((project.cache / "records").iterdir())) == 6


HALF_A_HEADER = """#!/bin/sh
case "$*" in
    *.gch*) while [ "$1" != "-o" ]; do shift; done; echo half > "$2"; sleep 300 ;;
    *" -E "* | -*) exec {compiler} "$@" ;;  # preprocess, or --version
    *) exit 1 ;;  # compile: no vector instructions are found
esac
"""


def test_killed_while_the_header_compiles(tmp_path: Path) -> None:
    """The compiler is ended too, and no half of a precompiled header is left for the next command to trip over."""
    if (compiler := cxx_compiler()) is None:
        pytest.skip("there is no C++ compiler on this machine")
    stand_in = tmp_path / "bin" / "g++"
    stand_in.parent.mkdir()
    stand_in.write_text(HALF_A_HEADER.format(compiler=compiler))
    stand_in.chmod(0o755)
    compiles = "# /// lesson\n# needs = ['compiler']\n# ///\n"
    # Two, since for a single one nothing is warmed up.
    project = write_project(tmp_path / "p", {"snippets/a.py": compiles, "snippets/b.py": compiles})
    process = command_line(project, "run", env={"PATH": f"{stand_in.parent}:{os.environ['PATH']}", "CXX": "g++"})
    deadline = time.monotonic() + 90
    while not list((project.cache / "headers").rglob("*.gch")):
        assert process.poll() is None and time.monotonic() < deadline, below(project)
        time.sleep(0.02)
    process.kill()
    process.communicate(timeout=60)
    assert_nothing_left(project)
    assert list((project.cache / "headers").rglob("*.gch")) == []
