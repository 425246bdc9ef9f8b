"""A program whose name, lines and exceptions try to control the terminal. Nothing of that reaches it."""

import subprocess
import sys
from pathlib import Path
from typing import NamedTuple

import pytest

#: The name of the file, and of a function, tell a terminal to set its title; a line clears the screen.
NAME = "train\x1b]0;title\x07\u202e.py"
PROGRAM = """
import torch

@torch.compile(backend="eager")
def step(x):
    print("in the graph")  # \x1b[2J\x9b2J
    return x + 1

def fails(x):
    raise ValueError("gone\x1b[2J\u202e")

def make_inputs():
    return (torch.ones(3),)

if __name__ == "__main__":
    step(torch.ones(3))
    fails(None)
"""
UNSAFE = "\x1b\x07\x9b\u202e"


class Done(NamedTuple):
    """What a command printed, and the files that it wrote."""

    printed: str
    folder: Path


def run(folder: Path, *arguments: str) -> str:
    command = [sys.executable, "-m", "compile_lessons", *arguments]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=300, check=False)
    return done.stdout + done.stderr


@pytest.fixture(scope="module")
def diagnosed(tmp_path_factory: pytest.TempPathFactory) -> Done:
    folder = tmp_path_factory.mktemp("unsafe")
    (folder / NAME).write_text(PROGRAM, encoding="utf-8")
    program = [sys.executable, NAME]
    quiet = "import subprocess, sys; subprocess.run(sys.argv[1:], stderr=subprocess.DEVNULL)"
    files = ["--keep", "kept", "--json", "report.json", "--text", "report.txt"]
    return Done(run(folder, "diagnose", *files, "--", sys.executable, "-c", quiet, *program), folder)


def safe(text: str) -> bool:
    return not any(character in text for character in UNSAFE)


def test_names_lines_and_the_report_of_a_run(diagnosed: Done) -> None:
    assert safe(diagnosed.printed)
    assert r"train\u001b]0;title\u0007\u202e.py:6: print(" in diagnosed.printed
    assert r"# \u001b[2J\u009b2J" in diagnosed.printed
    text = (diagnosed.folder / "report.txt").read_text(encoding="utf-8")
    assert safe(text) and text in diagnosed.printed


def test_a_trace(diagnosed: Done) -> None:
    printed = run(diagnosed.folder, "diagnose", "--trace", "kept")
    assert safe(printed) and r"train\u001b]0;title\u0007\u202e.py:6" in printed


def test_two_reports(diagnosed: Done) -> None:
    printed = run(diagnosed.folder, "diff", "report.json", "report.json")
    assert safe(printed) and r"still  graph-break  train\u001b]0;title\u0007\u202e.py:6" in printed


@pytest.mark.parametrize("arguments", [(), ("--json", "-")])
def test_an_exception_and_its_line(diagnosed: Done, arguments: tuple[str, ...]) -> None:
    printed = run(diagnosed.folder, "explain", f"{NAME}:fails", "--inputs", "make_inputs", *arguments)
    assert safe(printed) and r"gone\u001b[2J\u202e" in printed


def test_a_file_that_is_not_there(tmp_path: Path) -> None:
    printed = run(tmp_path, "explain", f"{NAME}:f")
    assert safe(printed) and r"train\u001b]0;title\u0007\u202e.py" in printed
