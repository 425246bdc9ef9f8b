"""Texts in a terminal of their own, with pagers that say what they got."""

import os
import subprocess
import sys
from dataclasses import replace

import pexpect
import pytest

from compile_lessons.facts import Break, EagerComparison, Graph, Location, Skip, StageFailure
from compile_lessons.findings.finding import Finding
from compile_lessons.ground.colors import in_color, use_colors
from compile_lessons.reports.findings import finding_text
from compile_lessons.show.table import Table

TEXT = "frame 0/0 f\n" * 200
WRITE = f"""
from compile_lessons.commands.terminal import color_for_terminal, write
from compile_lessons.ground.colors import bold
color_for_terminal()
write(bold({TEXT!r}))
"""


def in_terminal(code: str, **environment: str) -> tuple[str, int]:
    """Return what a terminal of 24 lines gets from a program, and the program's exit status."""
    unset = ("NO_COLOR", "LESS", "MANPAGER")
    inherited = {name: value for name, value in os.environ.items() if name not in unset}
    child = pexpect.spawn(
        sys.executable,
        ["-c", code],
        dimensions=(24, 100),
        env=inherited | {"TERM": "xterm-256color", "PAGER": "cat"} | environment,
        encoding="utf-8",
        timeout=120,
    )
    child.expect(pexpect.EOF)
    child.close()
    return child.before.replace("\r\n", "\n"), child.exitstatus


def test_a_text_goes_through_the_pager_in_color(tmp_path):
    shown, status = in_terminal(WRITE, PAGER=f"cat > {tmp_path}/paged; echo LESS=$LESS")
    assert (shown, status) == ("LESS=FRX\n", 0)
    paged = (tmp_path / "paged").read_text().splitlines()
    assert paged == ["\x1b[1mframe 0/0 f\x1b[0m", *199 * ["frame 0/0 f"]]


@pytest.mark.parametrize("environment", [{"NO_COLOR": "1"}, {"TERM": "dumb"}])
def test_no_color(environment):
    assert in_terminal(WRITE, **environment) == (TEXT, 0)


def test_quitting_the_pager_early():
    shown, status = in_terminal(WRITE.replace("200", "40_000"), PAGER="head -1")
    assert shown.count("frame") == 1 and "Traceback" not in shown and status == 0


def test_a_pipe_gets_plain_text_with_escapes_for_what_its_encoding_lacks():
    code = "from compile_lessons.commands.terminal import write; write('frame \\u2026')"
    environment = os.environ | {"PYTHONIOENCODING": "latin-1"}
    done = subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=True)
    assert (done.stdout, done.stderr) == ("frame \\u2026\n", "")


@pytest.fixture
def colors():
    use_colors(True)
    yield
    use_colors(False)


PLACE = Location(file="model.py", line=3, text="x.nothing")
FAILED = StageFailure(stage="dynamo", type="Unsupported", message="x\n  more", location=PLACE)


@pytest.mark.parametrize(
    ("part", "line"),
    [
        (FAILED, "\x1b[31mdynamo failed: Unsupported: x\x1b[0m"),
        (
            EagerComparison(status="different", reason="", values=()),
            "\x1b[31mdiffers from eager mode in 0 of 0 values\x1b[0m",
        ),
        (Break(gb_type="Data-dependent branching", gb_id=None), "\x1b[33mbreak: Data-dependent branching\x1b[0m"),
        (
            Skip(function="f", file="model.py", line=3, reason="no graph"),
            "\x1b[33mskipped f (model.py:3): no graph\x1b[0m",
        ),
        (Graph(kind="forward", code="", nodes=()), "\x1b[1mforward graph, 0 operations\x1b[0m"),
        (Table(("frame", "function"), [("0/0", "f")]), "\x1b[1mframe  function\x1b[0m"),
    ],
)
def test_colors(colors, part, line):
    assert in_color(str(part)).splitlines()[0] == line
    assert in_color(str(part)).count("\x1b[0m") == 1 + isinstance(part, Graph)  # and the heading of its table


def test_a_fault_is_in_color_and_advice_is_not(colors):
    fault = Finding(rule="graph-break", severity="fault", what="break: a call", remedy="leave it out")
    assert in_color(finding_text(fault)).splitlines() == ["\x1b[33mbreak: a call\x1b[0m", "   Fix: leave it out"]
    assert finding_text(replace(fault, severity="advice")).startswith("advice: break")
