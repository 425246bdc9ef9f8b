"""A folder with the classifier, its training program, its tests, and its budget."""

import re
import shlex
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    # A record depends on what this imports: the command is started by its name.
    from compile_lessons.commands import cli, pytest_plugin  # noqa: F401
    from compile_lessons.trace.collector import compile_lessons_collector  # noqa: F401

HERE = Path(__file__).parent
FILES = ("model.py", "train.py", "test_model.py")


def new_project():
    """Copy the files beside this one into a new folder, and return the folder."""
    folder = Path(tempfile.mkdtemp())
    for name in FILES:
        shutil.copy(HERE / f"_{name}", folder / name)
    shutil.copy(HERE / "budget.txt", folder)
    return folder


def change(folder, before, after):
    """Replace a text of model.py."""
    text = (folder / "model.py").read_text()
    assert text.count(before) == 1, before
    (folder / "model.py").write_text(text.replace(before, after))


def run(folder, command):
    """Run a command, print it and its report, and return its exit status."""
    tool, *words = shlex.split(command)
    module = {"compile-lessons": "compile_lessons"}.get(tool, tool)
    arguments = [sys.executable, "-m", module, *words]
    done = subprocess.run(
        arguments, cwd=folder, capture_output=True, check=False, text=True
    )
    report = re.search(r"^[\d.]+ s: ", done.stderr, re.M)
    printed = done.stderr[report.start() :] if report else done.stdout
    timeline = r"\n\nTimeline from .*?(?=\n--fail-if|\Z)"
    printed = re.sub(timeline, "", printed, flags=re.DOTALL)
    print(f"$ {command}\n{printed.rstrip()}\nexit status {done.returncode}\n")
    return done.returncode
