"""Texts in a terminal of their own, with pagers that say what they got."""

import os
import subprocess
import sys

import pexpect
import pytest

TEXT = "frame 0/0 f\n" * 200
WRITE = f"from compile_lessons.commands.terminal import write; write({TEXT!r})"


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
    assert len(paged) == 200 and set(paged) == {"\x1b[1mframe 0/0 f\x1b[0m"}


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


@pytest.mark.parametrize(
    ("line", "code"),
    [
        ("dynamo failed: Unsupported: x", "31"),
        ("differs from eager mode in 1 value", "31"),
        ("break: Data-dependent branching", "33"),
        ("skipped f: no graph", "33"),
        ("Inductor, forward: 3 nodes", "1"),
        ("frame  function\n-----  --------", "1"),
    ],
)
def test_colors(line, code):
    from compile_lessons.commands.terminal import color

    assert color(line).startswith(f"\x1b[{code}m")
