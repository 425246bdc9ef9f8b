"""Programs that are run as they are: status, output, limits and signals. None of them needs torch."""

import os
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest

from compile_lessons.trace import run as module
from compile_lessons.trace.run import CannotStart, command_of, run_program


def python(program: str) -> list[str]:
    return [sys.executable, "-c", program]


@pytest.fixture
def ready(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A file that the program makes when it is ready; by the clock, a minute has passed then, and no second before."""
    file = tmp_path / "ready"
    clock = SimpleNamespace(monotonic=lambda: 60.0 if file.exists() else 0.0)
    monkeypatch.setattr(module, "time", clock)
    return file


def test_a_python_file_is_started_by_this_python() -> None:
    assert command_of([__file__, "--lr", "1"]) == [sys.executable, __file__, "--lr", "1"]
    assert command_of(["torchrun", "train.py"]) == ["torchrun", "train.py"]


def test_a_python_file_runs_in_the_environment_that_is_activated(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As ``python train.py`` does, also where ``uvx`` runs the command in an environment of its own."""
    monkeypatch.setenv("VIRTUAL_ENV", str(tmp_path))
    assert command_of([__file__])[0] == sys.executable, "there is no Python"
    python = tmp_path / ("Scripts/python.exe" if os.name == "nt" else "bin/python")
    python.parent.mkdir()
    python.touch()
    assert command_of([__file__])[0] == str(python)
    monkeypatch.setenv("VIRTUAL_ENV", sys.prefix)
    assert command_of([__file__])[0] == sys.executable


def test_status_and_output_are_the_programs(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    ended = run_program(python("print('out'); raise SystemExit(5)"), tmp_path)
    assert (ended.status, ended.stopped) == (5, "")
    assert capfd.readouterr() == ("out\n", "")


def test_a_program_that_a_signal_ends_has_the_shells_status(tmp_path: Path) -> None:
    assert run_program(python("import os; os.kill(os.getpid(), 9)"), tmp_path).status == 137


def test_a_program_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(CannotStart, match="no-such-program can't be started"):
        run_program(["no-such-program"], tmp_path)


def test_seconds_ask_the_program_to_end(tmp_path: Path, ready: Path, capfd: pytest.CaptureFixture[str]) -> None:
    program = f"import time\ntry: open({str(ready)!r}, 'w'); time.sleep(99)\nexcept KeyboardInterrupt: print('saved')"
    ended = run_program(python(program), tmp_path, seconds=30)
    assert (ended.status, ended.stopped, ended.seconds) == (0, "--seconds 30", 60)
    assert capfd.readouterr().out == "saved\n"


def test_what_a_launcher_has_started_is_asked_too(
    tmp_path: Path, ready: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    """As by Ctrl-C in a terminal: ``accelerate launch`` passes no signal on."""
    program = f"import time\ntry: open({str(ready)!r}, 'w'); time.sleep(99)\nexcept KeyboardInterrupt: print('saved')"
    # which ends by the signal alone, as its child may end first
    launcher = f"import os, subprocess, time; subprocess.Popen({python(program)!r}).wait(); time.sleep(99)"
    ended = run_program(python(f"import signal; signal.signal(2, lambda *_: os._exit(9)); {launcher}"), tmp_path, 30)
    assert (ended.status, ended.stopped) == (9, "--seconds 30")
    assert capfd.readouterr().out == "saved\n"


def test_a_program_that_does_not_listen_is_ended(tmp_path: Path, ready: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "PATIENCE", 0)
    ignore = "import signal, time; [signal.signal(n, signal.SIG_IGN) for n in (2, 15)]"
    program = f"{ignore}; open({str(ready)!r}, 'w'); time.sleep(99)"
    assert run_program(python(program), tmp_path, seconds=30).status == 137


def test_steps_end_the_program_when_the_collector_says_so(tmp_path: Path) -> None:
    program = f"import time; open({str(tmp_path / 'stop')!r}, 'w').close(); time.sleep(60)"
    assert run_program(python(program), tmp_path, steps=3).stopped == "--steps 3"
