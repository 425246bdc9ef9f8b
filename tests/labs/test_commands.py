"""The commands: what they write, what they never overwrite, and what they say to do next."""

import json
import re
import subprocess
import sys
import time
from collections.abc import Callable
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
    lab("start", "2")
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


@pytest.mark.parametrize("columns", ["0", "1", "30"])
def test_a_narrow_terminal_loses_no_row(columns: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", columns)
    rows = re.findall(r"^ +(\d+)  (\w+)", lab("list").stdout, re.M)
    assert rows == [(str(each.facts.number), each.facts.title.split()[0]) for each in labs()]
    lab("start", "2")
    assert "not done yet" in lab("check", "2").stdout


def test_list_shows_progress() -> None:
    assert "lab watch --dir elsewhere" in lab("start", "2", "--dir", "elsewhere").stdout
    assert "lab hint 2 --dir elsewhere" in lab("check", "2", "--dir", "elsewhere").stdout
    Progress(Path("elsewhere")).mark(LAB, done=True)
    shown = lab("list", "--dir", "elsewhere").stdout
    assert re.search(r"^✓ +2 +Predict the graph", shown, re.M)
    assert f"1 of {len(labs())} done. Next: compile-lessons lab start" in shown


@pytest.mark.parametrize("command", [[], ["-m", "pytest", "-q", "-p", "compile_lessons.labs.plugin"]])
@pytest.mark.parametrize(
    ("started", "answer", "done"), [(True, LAB.solution, True), (True, LAB.stub, False), (False, LAB.solution, None)]
)
def test_a_file_that_is_run_by_itself_counts(
    here: Path, command: list[str], started: bool, answer: str, done: bool | None
) -> None:
    """``None``: nobody started a lab in this folder, so nothing is written into it."""
    folder = here / "labs"
    if started:
        lab("start", "2")
        Progress(folder).mark(LAB, done=not done)
    folder.mkdir(exist_ok=True)
    (folder / f"{LAB.slug}.py").write_text(answer)
    subprocess.run([sys.executable, *command, f"labs/{LAB.slug}.py"], cwd=here, check=False)
    assert (folder / ".progress.json").exists() is started
    assert Progress(folder).state.done == ([LAB.slug] if done else [])


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("check", "99"), "no lab '99'"),
        (("check", "predict-the-grph"), "did you mean predict_the_graph?"),
        (("check", "2"), "Fix: compile-lessons lab start 2"),
        (("reset", "2", "--dir", "elsewhere"), "Fix: compile-lessons lab start 2 --dir elsewhere"),
        (("hint", "2", "--dir", "elsewhere"), "Fix: compile-lessons lab start 2 --dir elsewhere"),
    ],
)
def test_what_is_not_there(here: Path, arguments: tuple[str, ...], message: str) -> None:
    result = lab(*arguments)
    assert result.exit_code == 2 and message in result.stderr and not list(here.iterdir())


def a_file(folder: Path) -> None:
    folder.write_text("")


def a_folder_for_the_progress(folder: Path) -> None:
    (folder / ".progress.json").mkdir(parents=True)


def half_a_progress_file(folder: Path) -> None:
    folder.mkdir()
    (folder / ".progress.json").write_text("{")


def a_nested_progress_file(folder: Path) -> None:
    folder.mkdir()
    (folder / ".progress.json").write_text('{"other": ' + "[" * 100_000)


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (a_file, "odd is a file. Fix: name a folder with --dir"),
        (a_folder_for_the_progress, "odd/.progress.json can't be read: Is a directory. Fix: move it away"),
        (half_a_progress_file, "Fix: delete it; your answers stay"),
        (a_nested_progress_file, "Fix: delete it; your answers stay"),
    ],
)
@pytest.mark.parametrize("command", ["list", "start 2", "check 2", "hint 2", "reset 2", "solution 2 --yes", "watch 2"])
def test_a_folder_that_cannot_be_used(here: Path, command: str, make: Callable[[Path], None], message: str) -> None:
    make(here / "odd")
    result = lab(*command.split(), "--dir", "odd")
    assert result.exit_code == 2 and message in result.stderr, result


def test_a_place_where_nothing_can_be_made(here: Path) -> None:
    a_file(here / "odd")
    result = lab("start", "2", "--dir", "odd/labs")
    assert result.exit_code == 2
    assert result.stderr.startswith("odd/labs can't be written to: Not a directory. Fix: free space or permissions")
    assert lab("start", "2", "--dir", "a" * 300).stderr.count("File name too long. Fix: ") == 1


def test_a_working_directory_that_is_gone(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (here / "gone").mkdir()
    monkeypatch.chdir(here / "gone")
    (here / "gone").rmdir()
    result = lab("list")
    assert result.exit_code == 2 and "Fix: change to another one" in result.stderr


@pytest.mark.parametrize(
    ("content", "status", "message"),
    [
        (b"x = " + b"-" * 5_000 + b"1", 1, "RecursionError: an expression is nested too deeply for Python"),
        (b"x = " + b"-" * 50_000 + b"1", 1, "MemoryError: an expression is nested too deeply for Python"),
        (b"x = 1\0", 1, "null bytes"),
        (b"return 1", 1, "SyntaxError: 'return' outside function"),
        ("# \u00e9".encode("latin-1"), 2, "Fix: save it as UTF-8 text"),
        (None, 2, "can't be read: Is a directory. Fix: put a file there that you may read"),
    ],
    ids=["nested", "nested more", "null", "return", "latin-1", "folder"],
)
def test_an_answer_that_python_cannot_read(here: Path, content: bytes | None, status: int, message: str) -> None:
    answer = here / "labs" / f"{LAB.slug}.py"
    (answer if content is None else answer.parent).mkdir(parents=True)
    if content is not None:
        answer.write_bytes(content)
    result = lab("check", "2")
    assert result.exit_code == status and message in result.output, result


def test_after_a_lab_of_the_evening_comes_its_next_one_and_then_go_the_numbers(here: Path) -> None:
    progress = Progress(here / "labs")
    order = []
    progress.start(find_lab("7"))
    while (current := progress.current()) is not None:
        order.append(current.facts.number)
        progress.mark(current, done=True)
    assert order == [7, 6, 1, *range(2, 6), *range(8, 18)]


def test_by_number_no_lab_is_left_out(here: Path) -> None:
    progress = Progress(here / "labs")
    order = []
    while (current := progress.current()) is not None:
        order.append(current.facts.number)
        progress.mark(current, done=True)
    assert order == list(range(1, 18))


def test_a_lab_of_the_evening_names_what_comes_next(here: Path) -> None:
    lab("start", "7")
    done = find_lab("7")
    (here / "labs" / f"{done.slug}.py").write_text(done.solution)
    shown = lab("check", "7").stdout
    assert (
        "\nNext in One evening: https://" in shown
        and "/dynamo/guards/\nBy number: compile-lessons lab start 8\n" in shown
    )


def test_watch_checks_on_save_and_goes_on(here: Path) -> None:
    """All labs but two are done; the first of these is then answered."""
    second = find_lab("stop_the_recompiles")
    for other in labs():
        Progress(here / "labs").mark(other, done=other.slug not in (LAB.slug, second.slug))
    Progress(here / "labs").start(LAB)
    watch = pexpect.spawn(sys.executable, ["-m", "compile_lessons", "lab", "watch"], timeout=120, encoding="utf-8")
    watch.expect("not done yet")
    watch.expect("checks again when you save")
    (here / "labs" / f"{LAB.slug}.py").write_text("def eight_additions(x):\n    return y\n")
    watch.expect("The file has no `CALLS`|The file has no `one_line`")
    watch.expect("checks again when you save")
    (here / "labs" / f"{LAB.slug}.py").write_text(LAB.solution)
    watch.expect("Predict the graph: done")
    watch.expect("Stop the recompiles: not done yet")
    watch.expect("checks again when you save")
    time.sleep(0.5)  # in which the file of the next lab, which the watch wrote itself, must count as no save
    watch.sendintr()
    watch.expect("Next: compile-lessons lab watch")
    assert "Stop the recompiles" not in watch.before and "Traceback" not in watch.before
    assert Progress(here / "labs").is_started(second) and LAB.slug in Progress(here / "labs").state.done
