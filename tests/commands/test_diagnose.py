"""The command line of ``diagnose``. ``tests/programs`` has programs that it runs."""

import json
import os
import re
import subprocess
import sys
import time
from pathlib import Path

import pexpect
import pytest
from typer.testing import CliRunner, Result

from compile_lessons.commands.cli import app
from compile_lessons.commands.diagnose import _conditions

REFERENCE = Path(__file__).parents[2] / "docs" / "reference" / "diagnose.md"


def call(*arguments: str) -> Result:
    return CliRunner().invoke(app, ["diagnose", *arguments])


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ([], "no program"),
        (["--trace", ".", "train.py"], "--trace reads a folder and runs nothing"),
        (["--fail-if", "speed>1", "train.py"], "--fail-if 'speed>1' is not known"),
        (["--json", "train.py", "train.py"], "--json can't write train.py"),
        (["--text", "no-such-folder/report.txt", "train.py"], "--text can't write no-such-folder/report.txt"),
        (["--keep", ".", "train.py"], "--keep: . is not empty"),
    ],
)
def test_wrong_command_lines(arguments: list[str], message: str) -> None:
    result = call(*arguments)
    assert result.exit_code == 2
    assert result.stderr.startswith("error: ") and message in result.stderr


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("recompiles>0\n\nspeed > 1  # per second\n", "budget.txt:3: 'speed > 1' is not known"),
        ("recompiles>0,breaks>2\n", "budget.txt:1: 'recompiles>0,breaks>2' is not known"),
        ("# nothing yet\n", "budget.txt has no condition"),
    ],
)
def test_a_wrong_budget_is_refused_before_the_program_runs(tmp_path: Path, text: str, message: str) -> None:
    budget, ran = tmp_path / "budget.txt", tmp_path / "ran"
    budget.write_text(text)
    result = call("--fail-if", f"@{budget}", "--", sys.executable, "-c", f"open({str(ran)!r}, 'w')")
    assert (result.exit_code, ran.exists()) == (2, False)
    assert message in result.stderr


def test_the_budget_of_the_reference_page_is_one(tmp_path: Path) -> None:
    [budget] = re.findall(r'```ini title="budget.txt"\n(.*?)```', REFERENCE.read_text(encoding="utf-8"), re.S)
    (tmp_path / "budget.txt").write_text(budget)
    conditions = _conditions(f"@{tmp_path / 'budget.txt'}")
    assert [condition.text for condition in conditions] == ["recompiles > 0", "breaks > 2", "compile_seconds > 60"]


@pytest.mark.parametrize(("status", "asked", "expected"), [(3, "calls>=0", 3), (0, "calls>=0", 1), (0, "calls>0", 0)])
def test_conditions_leave_the_status_of_a_program_that_failed(status: int, asked: str, expected: int) -> None:
    program = f"import torch; raise SystemExit({status})"
    assert call("--fail-if", asked, "--", sys.executable, "-c", program).exit_code == expected


def test_a_budget_that_is_not_there(tmp_path: Path) -> None:
    result = call("--fail-if", f"@{tmp_path / 'budget.txt'}", "train.py")
    assert result.exit_code == 2
    assert "--fail-if can't read" in result.stderr and "No such file" in result.stderr


def test_each_condition_of_a_budget_counts(tmp_path: Path) -> None:
    traces, budget = tmp_path / "traces", tmp_path / "budget.txt"
    traces.mkdir()
    budget.write_text("# what we allow\nfindings > 1\nfindings >= 2\n")
    assert call("--fail-if", f"@{budget}", "--trace", str(traces)).exit_code == 0
    budget.write_text("findings > 1\nfindings >= 1  # an empty trace is one\n")
    failed = call("--fail-if", f"@{budget}", "--trace", str(traces))
    assert failed.exit_code == 1
    assert "--fail-if: findings >= 1 is true" in failed.stdout and "findings > 1" not in failed.stdout


def test_options_of_the_program_are_its_own(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    program = tmp_path / "program.py"
    program.write_text("import sys\nprint(sys.argv[1:])\nsys.exit(4)\n")
    assert call(str(program), "--seconds", "5", "--", "x").exit_code == 4
    assert capfd.readouterr().out == "['--seconds', '5', '--', 'x']\n"
    assert call("--", sys.executable, str(program), "--json").exit_code == 4
    assert capfd.readouterr().out == "['--json']\n"


def test_a_program_without_torch_is_said(tmp_path: Path) -> None:
    out = tmp_path / "report.json"
    result = call("--json", str(out), "--", sys.executable, "-c", "pass")
    assert result.exit_code == 0
    assert "no process imported torch where diagnose could see it" in result.stderr
    assert json.loads(out.read_text())["findings"] == []


def test_ctrl_c_in_a_terminal_reaches_the_program_once(tmp_path: Path) -> None:
    program = tmp_path / "program.py"
    program.write_text(
        "import time\n"
        "for number in range(2):\n"
        "    try:\n"
        "        if number == 0: print('ready')\n"
        "        time.sleep(3 if number else 60)  # a second Ctrl-C would be seen\n"
        "    except KeyboardInterrupt:\n"
        "        print('asked')\n"
        "print('saved')\n"
    )
    child = pexpect.spawn(sys.executable, ["-m", "compile_lessons", "diagnose", str(program)], timeout=60)
    child.expect("ready")
    child.sendintr()
    child.expect("saved")
    output = child.before.decode()
    child.expect("stopped by Ctrl-C")
    child.expect(pexpect.EOF)
    child.close()
    assert output.count("asked") == 1
    assert child.exitstatus == 0


def test_an_empty_trace_is_a_finding(tmp_path: Path) -> None:
    result = call("--trace", str(tmp_path))
    assert result.exit_code == 0
    assert "torch writes a file when the first function is compiled" in result.stdout
    text = tmp_path / "report.txt"
    failed = call("--fail-if", "findings>0", "--text", str(text), "--trace", str(tmp_path))
    assert failed.exit_code == 1
    assert text.read_text() == failed.stdout and "--fail-if: findings>0 is true" in failed.stdout


PROGRAM = """
import random, torch
weight = torch.ones(4, 4)

@torch.compile(backend="eager")
def forward(x):
    return x @ weight

for _ in range(30):
    forward(torch.randn(4, 4)) + 1
print("drawn", random.random(), torch.randn(1).item())
"""


def test_a_second_run_in_eager_mode_and_a_profile(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    program, out, html = tmp_path / "program.py", tmp_path / "report.json", tmp_path / "report.html"
    program.write_text(PROGRAM)
    options = ["--compare", "eager", "--profile-steps", "3", "--json", str(out), "--html", str(html)]
    result = call(*options, str(program))
    assert result.exit_code == 0, result.stderr
    drawn = [line for line in capfd.readouterr().out.splitlines() if line.startswith("drawn")]
    assert len(drawn) == 2 and drawn[0] == drawn[1]
    report = json.loads(out.read_text())
    profile = report["profile"]
    assert (profile["function"], profile["first"], profile["last"]) == ("forward", 7, 9)  # the first call compiles
    operators = {(work["name"], work["compiled"]): work["calls"] for work in profile["work"]}
    assert operators["aten::mm", True] == operators["aten::add", False] == 3
    assert [report["comparison"][name] for name in ("function", "first", "last")] == ["forward", 11, 30]
    assert report["comparison"]["compiled"] > 0 < report["comparison"]["eager"]
    assert "Compared with eager mode" in result.stderr and "Profile of calls 7 to 9 of forward" in result.stderr
    assert 'id="compared"' in html.read_text() and "aten::mm" in html.read_text()


#: Leaves a process behind, which compiles for the first time when the folder of the records is gone.
OUTLIVED = """
import os, sys, time, torch
folder, told = os.environ["TORCH_TRACE"], sys.argv[1]
modes = {oct(os.stat(path).st_mode & 0o777) for path in [folder, *os.scandir(folder)]}
if os.fork() == 0:
    while os.path.exists(folder):
        time.sleep(0.01)
    torch.compile(lambda x: x + 1, backend="eager")(torch.ones(2))
    open(told + ".new", "w").write(" ".join(sorted(modes)))
    os.rename(told + ".new", told)
    os._exit(0)
"""


def test_a_process_that_outlives_the_program_makes_no_folder_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Torch would make the folder of its trace, for all to read."""
    temporary, program, told = tmp_path / "tmp", tmp_path / "program.py", tmp_path / "told"
    temporary.mkdir()
    program.write_text(OUTLIVED)
    monkeypatch.setattr("tempfile.tempdir", str(temporary))
    assert call(str(program), str(told)).exit_code == 0
    while not told.exists():
        time.sleep(0.01)
    assert told.read_text() == "0o600 0o700"
    assert not list(temporary.iterdir())


def test_a_file_that_is_not_there_is_not_started() -> None:
    result = call("nothere.py")
    assert (result.exit_code, result.stderr) == (2, "error: nothere.py can't be started: there is no such file\n")


def test_what_the_program_imports_and_this_python_lacks_is_named(tmp_path: Path) -> None:
    """``uvx`` makes an environment for the command alone."""
    (tmp_path / "beside.py").touch()
    (tmp_path / "train.py").write_text("import beside, json\nfrom no_such_package.models import Model\n")
    result = call(str(tmp_path / "train.py"))
    assert result.exit_code == 1
    assert f"note: {sys.executable} lacks no_such_package\n  Fix: diagnose -- path/to/python" in result.stderr


def test_the_report_begins_a_line_of_its_own(tmp_path: Path) -> None:
    (tmp_path / "bar.py").write_text("import sys\nsys.stderr.write('50% done')\n")
    command = [sys.executable, "-m", "compile_lessons", "diagnose", "bar.py"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=True)
    assert done.stderr.startswith("50% done\n") and done.stderr.splitlines()[1].endswith("no process was seen")


@pytest.mark.parametrize(
    ("text", "given", "noted"),
    [
        ("pass", ["--html", "out.html"], ["--html"]),
        ("pass", ["--fail-if=breaks>0", "--lr", "1"], ["--fail-if"]),
        ("parser.add_argument('--json')", ["--json", "x"], []),
        ("flags.steps = 3", ["--steps", "3"], []),
        ("pass", ["train"], []),
    ],
)
def test_an_option_after_the_program_is_the_programs(
    tmp_path: Path, text: str, given: list[str], noted: list[str]
) -> None:
    program = tmp_path / "train.py"
    program.write_text(f"flags = parser = type('Any', (), {{'add_argument': print}})\n{text}\n")
    result = call(str(program), *given)
    notes = [line for line in result.stderr.splitlines() if line.startswith("note:")]
    assert notes == [
        f"note: {option} went to the program, as it stands after its name; options of diagnose stand before it"
        for option in noted
    ]


def test_a_link_to_a_report_stays_a_link(tmp_path: Path) -> None:
    (tmp_path / "link.json").symlink_to("real.json")
    for _ in range(2):  # where the file is not there yet, and where it is
        assert call("--json", str(tmp_path / "link.json"), "--", sys.executable, "-c", "").exit_code == 0
        assert (tmp_path / "link.json").is_symlink() and json.loads((tmp_path / "real.json").read_text())["counts"]


STACKS = """
import traceback
import torch

def backend(graph_module, inputs):
    traceback.print_stack()
    return graph_module.forward

@torch.compile(backend=backend)
def größe(x):
    print("broken")  # größe
    return x + 1

größe(torch.ones(3))
try:
    torch.compile(3, backend=backend)
except Exception:
    traceback.print_exc()
"""


def test_the_users_stacks_and_log_have_nothing_of_the_collector_in_any_locale(tmp_path: Path) -> None:
    (tmp_path / "train.py").write_text(STACKS, encoding="utf-8")
    command = [sys.executable, "-m", "compile_lessons", "diagnose", "--json", "out.json", "train.py"]
    ascii_locale = {"LC_ALL": "C", "PYTHONCOERCECLOCALE": "0", "PYTHONUTF8": "0", "TORCH_LOGS": "graph_breaks"}
    done = subprocess.run(
        command, cwd=tmp_path, capture_output=True, text=True, env={**os.environ, **ascii_locale}, check=True
    )
    assert "in call_user_compiler" in done.stderr and "User code traceback" in done.stderr
    assert "compile_lessons" not in done.stderr and "Logging error" not in done.stderr
    report = json.loads((tmp_path / "out.json").read_text(encoding="utf-8"))
    assert report["counts"]["breaks"] == 1 and not report["missing"]
