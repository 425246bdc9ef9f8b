"""Long and short texts in a terminal of their own, with pagers that say what they got."""

import functools
import os
import re
import signal
import subprocess
import sys
import textwrap

import pexpect
import pytest

SHORT, LONG = "frame 0/0 f\n" * 3, "frame 0/0 f\n" * 200


def in_terminal(text, columns=100, **environment):
    """What a terminal gets when ``text`` is written there, and the exit status."""
    return spawn(["-c", f"from compile_lessons.terminal import write; write({text!r})"], columns, environment)


def spawn(arguments, columns=100, environment=None):
    child = pexpect.spawn(
        sys.executable,
        arguments,
        dimensions=(24, columns),
        env=os.environ | {"TERM": "xterm-256color", "PAGER": "cat"} | (environment or {}),
        encoding="utf-8",
        timeout=120,
    )
    child.expect(pexpect.EOF)
    child.close()
    return child.before.replace("\r\n", "\n"), child.exitstatus


@pytest.fixture
def plain_environment(monkeypatch):
    for name in ("NO_COLOR", "FORCE_COLOR", "CLICOLOR_FORCE", "TTY_COMPATIBLE", "LESS", "MANPAGER", "COLUMNS", "LINES"):
        monkeypatch.delenv(name, raising=False)


pytestmark = pytest.mark.usefixtures("plain_environment")


def test_colors_and_no_pager_for_a_short_text():
    assert in_terminal(SHORT, PAGER="echo paged") == ("\x1b[1mframe 0/0 f\x1b[0m\n" * 3 + "\n", 0)


def test_no_color():
    assert in_terminal(SHORT, NO_COLOR="1") == (SHORT + "\n", 0)
    assert in_terminal(LONG, NO_COLOR="1") == (LONG + "\n", 0)


def test_a_dumb_terminal():
    assert "\x1b" not in in_terminal(LONG, TERM="dumb")[0]


def test_a_long_text_goes_through_the_pager(tmp_path):
    shown, status = in_terminal(LONG, PAGER=f"cat > {tmp_path}/paged; echo LESS=$LESS")
    assert (shown, status) == ("LESS=FRX\n", 0)
    assert (tmp_path / "paged").read_text() == "\x1b[1mframe 0/0 f\x1b[0m\n" * 200 + "\n"


def test_less_options_of_the_reader_stay():
    assert in_terminal(LONG, PAGER="cat > /dev/null; echo LESS=$LESS", LESS="-S")[0] == "LESS=-S\n"


def test_lines_are_not_cut_in_a_narrow_terminal():
    line = "x" * 95
    assert in_terminal(line, columns=60)[0] == line + "\n"


def test_quitting_the_pager_early():
    very_long = "from compile_lessons.terminal import write; write('frame 0/0 f\\n' * 40_000)"
    shown, status = spawn(["-c", very_long], environment={"PAGER": "head -1"})
    assert "frame 0/0 f" in shown and "Traceback" not in shown and "Broken" not in shown
    assert status == 0


def test_interrupting_the_pager():
    code = f"from compile_lessons.terminal import write; write({LONG!r})"
    # The whole text is read first: from then on the writer only waits.
    pager = "trap 'echo interrupted; exit' INT; cat > /dev/null; echo ready; while true; do sleep 0.1; done"
    environment = os.environ | {"TERM": "xterm", "PAGER": pager}
    listen = functools.partial(signal.signal, signal.SIGINT, signal.SIG_DFL)  # a job in the background ignores it
    child = pexpect.spawn(
        sys.executable, ["-c", code], env=environment, encoding="utf-8", timeout=60, preexec_fn=listen
    )
    child.expect("ready")
    child.sendintr()
    child.expect(pexpect.EOF)
    child.close()
    assert "interrupted" in child.before and "Traceback" not in child.before
    assert child.exitstatus == 0


def test_into_a_pipe_that_closes_early():
    script = """
        import typer
        from compile_lessons.terminal import write
        app = typer.Typer()
        app.command()(lambda: write("frame 0/0 f\\n" * 40_000))
        app()
    """
    done = subprocess.run(
        '"$PYTHON" -c "$SCRIPT" | head -1',
        shell=True,
        env=os.environ | {"PYTHON": sys.executable, "SCRIPT": textwrap.dedent(script)},
        capture_output=True,
        text=True,
        check=True,
    )
    assert (done.stdout, done.stderr) == ("frame 0/0 f\n", "")


def test_the_command(tmp_path):
    (tmp_path / "mine.py").write_text(
        "import torch\n\ndef wrong():\n    print('here')\n    return torch.ones(3).nothing\n"
    )
    shown, status = spawn(["-m", "compile_lessons", "explain", f"{tmp_path}/mine.py:wrong", "--only", "breaks"])
    assert re.search(r"\x1b\[31meager.* failed: AttributeError", shown) and status == 1
    assert shown.startswith("compiling …\nhere\n")
    assert "\x1b[33mbreak: " in shown


@pytest.mark.parametrize("pager", ["", " ", "cat", "cat "])
def test_no_pager(pager):
    assert in_terminal(LONG, NO_COLOR="1", PAGER=pager) == (LONG + "\n", 0)


@pytest.mark.parametrize("pager", ["no-such-pager", "/", "cat > /dev/null; false"])
def test_a_pager_that_fails(pager):
    shown, status = in_terminal(LONG, NO_COLOR="1", PAGER=pager)
    assert shown.endswith(LONG + "\n") and status == 0


def test_the_pager_of_manual_pages_is_not_taken():
    environment = {"NO_COLOR": "1", "PAGER": "echo paged; cat > /dev/null", "MANPAGER": "echo manual"}
    assert in_terminal(LONG, **environment) == ("paged\n", 0)


def test_a_note_erases_nothing():
    code = "import sys\nfrom compile_lessons.terminal import note\nnote('working …', sys.stderr)\nprint('end', end='')"
    assert spawn(["-c", code]) == ("working …\nend", 0)
    piped = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert (piped.stdout, piped.stderr) == ("end", "")


def test_a_text_of_long_lines_goes_through_the_pager():
    text = ("x" * 95 + "\n") * 15
    assert in_terminal(text, columns=40, PAGER="cat > /dev/null; echo paged") == ("paged\n", 0)
    assert in_terminal(text, columns=100, PAGER="cat > /dev/null; echo paged") == (text + "\n", 0)


@pytest.mark.parametrize("pager", ["cat", "cat | cat"])
def test_text_that_can_t_be_encoded(pager):
    assert in_terminal(LONG + "\udc80", NO_COLOR="1", PAGER=pager) == (LONG + "\\udc80\n", 0)


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="no /dev/full")
def test_a_full_disk(tmp_path):
    (tmp_path / "mine.py").write_text("def nothing():\n    pass\n")
    command = [sys.executable, "-m", "compile_lessons", "explain", f"{tmp_path}/mine.py:nothing"]
    with open("/dev/full", "w") as full:
        done = subprocess.run(command, stdout=full, stderr=subprocess.PIPE, text=True, check=False)
    assert (done.returncode, done.stderr) == (2, "error: standard output can't be written: No space left on device\n")
