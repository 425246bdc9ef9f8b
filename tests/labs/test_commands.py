"""The commands: what they write, what they never overwrite, and what they say to do next."""

from __future__ import annotations

import json
import re
import sys
import time
from pathlib import Path

import pexpect
import pytest
from typer.testing import CliRunner, Result

from compile_lessons.commands.cli import app
from compile_lessons.labs.lab import find_lab, labs
from compile_lessons.labs.progress import Progress

LAB = find_lab("predict_the_graph")


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "100")
    return tmp_path


def lab(*arguments: str, answer: str = "") -> Result:
    return CliRunner().invoke(app, ["lab", *arguments], input=answer)


def test_start_writes_the_stub_once_and_never_over_work(here: Path) -> None:
    assert "wrote labs/predict_the_graph.py" in lab("start", "2").stdout
    file = here / "labs" / "predict_the_graph.py"
    assert file.read_text() == LAB.stub and "# /// lesson" not in file.read_text()
    file.write_text("mine")
    assert "kept your labs/predict_the_graph.py" in lab("start", "predict-the-graph").stdout
    assert file.read_text() == "mine"


def test_check_says_what_to_do_next() -> None:
    lab("start", "2")
    result = lab("check", "2")
    assert result.exit_code == 1 and result.stdout.startswith("Lab 2, Predict the graph: not done yet\n")
    assert "then: compile-lessons lab check 2\nStuck? compile-lessons lab hint 2\n" in result.stdout


def test_without_a_number_it_is_the_lab_under_way(here: Path) -> None:
    lab("start", "1")
    lab("start", "2")
    assert lab("check").stdout.startswith("Lab 2, Predict the graph: not done yet\n")
    assert lab("hint").stdout.startswith("Hint 1 of 3")
    for other in labs():
        Progress(here / "labs").mark(other, done=True)
    assert "every lab is done" in lab("check").stderr


def test_hints_come_one_by_one() -> None:
    shown = [lab("hint", "2").stdout.count("Hint ") for _ in range(5)]
    assert shown == [1, 2, 3, 3, 3] and "lab solution 2" in lab("hint", "2").stdout
    assert json.loads(Path("labs/.progress.json").read_text())["hints"] == {"predict_the_graph": 3}


def test_solution_asks_first() -> None:
    assert "return x * x" not in lab("solution", "2", answer="n\n").stdout
    assert "return x * x" in lab("solution", "2", answer="y\n").stdout


def test_reset_keeps_each_answer_under_a_number(here: Path) -> None:
    lab("start", "2")
    for text in ("first", "second"):
        (here / "labs" / "predict_the_graph.py").write_text(text)
        Progress(here / "labs").mark(LAB, done=True)
        result = lab("reset", "2")
    assert "kept in labs/predict_the_graph.py.2" in result.stdout
    kept = {path.name: path.read_text() for path in (here / "labs").glob("*.py*")}
    assert kept == {
        "predict_the_graph.py": LAB.stub,
        "predict_the_graph.py.1": "first",
        "predict_the_graph.py.2": "second",
    }
    assert Progress(here / "labs").state.done == []


def test_list_shows_progress() -> None:
    assert "lab watch --dir elsewhere" in lab("start", "2", "--dir", "elsewhere").stdout
    assert "lab hint 2 --dir elsewhere" in lab("check", "2", "--dir", "elsewhere").stdout
    Progress(Path("elsewhere")).mark(LAB, done=True)
    shown = lab("list", "--dir", "elsewhere").stdout
    assert re.search(r"^✓ +2 +Predict the graph", shown, re.M)
    assert f"1 of {len(labs())} done. Next: compile-lessons lab start" in shown


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("check", "99"), "no lab '99'"),
        (("check", "predict-the-grph"), "did you mean predict_the_graph?"),
        (("check", "2"), "Fix: compile-lessons lab start 2"),
        (("reset", "2"), "there is nothing to reset"),
    ],
)
def test_what_is_not_there(arguments: tuple[str, str], message: str) -> None:
    result = lab(*arguments)
    assert result.exit_code == 2 and message in result.stderr


def test_a_progress_file_that_is_not_understood(here: Path) -> None:
    (here / "labs").mkdir()
    (here / "labs" / ".progress.json").write_text("{")
    assert "Fix: delete it; your answers stay" in lab("list").stderr


def test_watch_checks_on_save_and_goes_on(here: Path) -> None:
    """All labs but two are done; the first of these is then answered."""
    second = find_lab("stop_the_recompiles")
    for other in labs():
        Progress(here / "labs").mark(other, done=other.slug not in (LAB.slug, second.slug))
    Progress(here / "labs").start(LAB)
    watch = pexpect.spawn(sys.executable, ["-m", "compile_lessons", "lab", "watch"], timeout=120, encoding="utf-8")
    watch.expect("not done yet")
    watch.expect("checks again when you save")
    time.sleep(0.5)  # the watch begins after this line
    (here / "labs" / f"{LAB.slug}.py").write_text("def eight_additions(x):\n    return y\n")
    watch.expect("The file has no `CALLS`|The file has no `one_line`")
    watch.expect("checks again when you save")
    (here / "labs" / f"{LAB.slug}.py").write_text(LAB.solution)
    watch.expect("Predict the graph: done")
    watch.expect("Stop the recompiles: not done yet")
    watch.expect("checks again when you save")
    time.sleep(0.5)  # the file of the next lab, which the watch wrote itself, is no save
    watch.sendintr()
    watch.expect("Next: compile-lessons lab watch")
    assert "Stop the recompiles" not in watch.before and "Traceback" not in watch.before
    assert Progress(here / "labs").is_started(second) and LAB.slug in Progress(here / "labs").state.done
