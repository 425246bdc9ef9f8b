"""Start ``compile-lessons`` as a user does, in a folder with the program."""

import re
import shlex
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    # A record depends on what this imports: the command is started by its name.
    import compile_lessons.trace.collector.compile_lessons_collector  # noqa: F401
    from compile_lessons.commands import cli  # noqa: F401


def run_command(folder, command):
    """Print a command and its report without what depends on the time that it takes.

    Return its status.
    """
    words = [sys.executable, "-m", "compile_lessons", *shlex.split(command)]
    done = subprocess.run(
        words, cwd=folder, capture_output=True, check=False, text=True
    )
    printed = done.stdout + done.stderr
    report = re.search(r"^[\d.]+ s: ", done.stderr, re.M)
    print(f"$ compile-lessons {command}")
    printed = printed[printed.index(report[0]) :] if report else printed
    printed = re.sub(r"\nTimeline.*?last call.*?\n", "", printed, flags=re.DOTALL)
    timed = r"^Outside of compiled.*\n|; what ran between[^;\n]*"
    print(re.sub(timed, "", printed, flags=re.MULTILINE))
    return done.returncode


def copy_program(name, folder, *changes):
    """Copy ``_train.py`` here to ``train.py`` in the folder, with texts replaced."""
    text = (Path(__file__).parent / f"_{name}").read_text()
    for old, new in changes:
        assert text.count(old) == 1, old
        text = text.replace(old, new)
    (folder / name).write_text(text)
