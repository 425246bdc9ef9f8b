"""Inputs that nobody meant, for each command: a message that says what is wrong, with the line, and status 2 or 1."""

import os
from collections.abc import Iterator
from pathlib import Path

import pytest
import typer
from typer.testing import CliRunner

from compile_lessons.commands.cli import app
from compile_lessons.commands.explain import OneTarget, explain
from projects import write_project

explaining = typer.Typer()
explaining.command(cls=OneTarget)(explain)

DEEP = "x = " + "-" * 50_000 + "1\n"
FILES: dict[str, str | bytes] = {
    "latin.py": b"import torch\n# caf\xe9\ndef f(x):\n    return x + 1\n",
    "declared.py": b"# -*- coding: latin-1 -*-\nword = 'caf\xe9'\ndef f(x):\n    return x + 1\n",
    "latin_first.py": b"# caf\xe9\ndef f(x):\n    return x\n",
    "utf16.py": "def f(x): return x\n".encode("utf-16"),
    "coding.py": b"# -*- coding: nosuch -*-\ndef f(x): return x\n",
    "null.py": "x = 1\ny = '\0'\n",
    "deep.py": DEEP,
    "brackets.py": "x = " + "(" * 300 + ")" * 300,
    "empty.py": "",
    "adir.py/inside.txt": "",
    "good.py": "def f(x):\n    return x + 1\n",
    "other.py": "def g(x):\n    return x\n",
    "a_file": "",
    "folder.json/inside.txt": "",
}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """A reader's files; the commands run in their folder."""
    folder = write_project(tmp_path_factory.mktemp("bad"), FILES).root
    (folder / "dangling.py").symlink_to("nowhere.py")
    os.mkfifo(folder / "pipe.py")
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(folder)
        yield folder


#: The arguments of ``explain``, and what it says.
EXPLAIN = {
    "latin.py:f": "byte 0xe9 is not UTF-8: save the file as UTF-8, or declare its encoding in the first line\n"
    "  at {folder}/latin.py:2: # caf\ufffd\n",
    "latin_first.py:f": "  at {folder}/latin_first.py:1: # caf\ufffd\n",
    "utf16.py:f": "SyntaxError: byte 0xff is not UTF-8",
    "coding.py:f": "unknown encoding: nosuch\n  at {folder}/coding.py:1: # -*- coding: nosuch -*-\n",
    "null.py:f": "Python code can't contain a null character\n  at {folder}/null.py:2: y = '\\u0000'\n",
    "deep.py:f": "SyntaxError: this is nested too deeply for Python\n  at {folder}/deep.py:1: x = -----",
    "brackets.py:f": "SyntaxError: too many nested parentheses\n  at {folder}/brackets.py:1: x = ((((",
    "empty.py": "empty.py defines no function, class or object that can be called\n",
    "empty.py:f": "empty.py has no 'f'; it has: no function\n",
    "adir.py:f": "adir.py is a folder\n",
    "adir.py": "adir.py is a folder\n",
    "pipe.py:f": "pipe.py is no regular file\n",
    "dangling.py:f": "there is no file dangling.py\n",
    "god.py:f": "there is no file god.py\n  Fix: did you mean good.py?\n",
    "adri.py:f": "there is no file adri.py\n",
    ":f": "':f' is not of the form FILE.py:NAME\n",
    "good.py:f:g": "'good.py:f:g' is not of the form FILE.py:NAME\n",
    "good.py:f other.py:g": "explain takes one FILE.py:NAME, and not 'other.py:g' too\n"
    "  Fix: explain them one by one, or put arguments of the script after --: explain good.py:f -- other.py:g\n",
    "good.py:f other.py:g -- 1": "and not 'other.py:g' too\n",
    "good.py:f --inputs adir.py:f": "adir.py is a folder\n",
    "good.py:f --inputs null.py:f": "  at {folder}/null.py:2: y = ",
    "good.py:f --calls deep.py:f": "nested too deeply",
    "good.py:f --compile " + "-" * 50_000 + "1": "is not understood",
    "good.py:f --json adir.py": "--json can't write 'adir.py'",
}


@pytest.mark.parametrize("arguments", EXPLAIN)
def test_explain(folder: Path, arguments: str) -> None:
    result = CliRunner().invoke(explaining, arguments.split())
    assert result.exit_code == 2, result.output
    assert result.stderr.startswith("error: ") and EXPLAIN[arguments].format(folder=folder) in result.stderr


def test_a_file_in_an_encoding_that_it_declares(folder: Path) -> None:
    result = CliRunner().invoke(explaining, ["declared.py:g"])
    assert "declared.py has no 'g'; it has: word, f" in result.stderr


#: The arguments of the other commands, and what they say.
OTHERS = {
    "explore adir.py": "adir.py is a folder",
    "explore adir.py:f": "adir.py is a folder",
    "explore pipe.py": "pipe.py is no regular file",
    "explore dangling.py": "there is no file dangling.py",
    "explore god.py": "there is no file god.py\n  Fix: did you mean good.py?",
    "explore a_file": "'a_file' is not of the form FILE.py or FILE.py:NAME",
    "explore latin.py": "latin.py:2: not UTF-8",
    "explore good.py:f other.py:g": "explore takes one FILE.py:NAME, and not 'other.py:g' too\n  Fix: explore them",
    "explore good.py --target h300": "--target 'h300' is not known\n  Fix: name one of cpu, h200",
    "explore good.py --host nowhere.invalid": "can't serve at nowhere.invalid:8765: ",
    "explore good.py --port 70000": "Invalid value for '--port'",
    "explore good.py --seconds 0": "Invalid value for '--seconds'",
    "diff adir.py adir.py": "adir.py can't be read: Is a directory",
    "diff nowhere nowhere": "nowhere can't be read: No such file or directory",
    "diff latin.py latin.py": "latin.py is no report of diagnose",
    "diagnose --trace a_file": "--trace: there is no folder a_file",
    "diagnose --json folder.json -- true": "--json can't write folder.json",
    "diagnose nowhere": "nowhere can't be started: No such file or directory",
    "diagnose --json /dev/full -- true": "/dev/full can't be written: No space left on device",
    "diagnose ./a_file": "./a_file can't be started: Permission denied",
    "explain": "Missing argument",
    "nothing": "No such command 'nothing'",
}


@pytest.mark.parametrize("arguments", OTHERS)
def test_the_other_commands(folder: Path, arguments: str) -> None:
    result = CliRunner().invoke(app, arguments.split())
    assert result.exit_code == 2 and OTHERS[arguments] in result.stderr, (result.output, result.exception)


def test_two_files_of_one_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each is the module of its own names, for dataclasses and others that look it up."""
    (tmp_path / "one").mkdir()
    (tmp_path / "two").mkdir()
    (tmp_path / "one" / "model.py").write_text("def f(x):\n    return x + 1\n")
    (tmp_path / "two" / "model.py").write_text(
        "from __future__ import annotations\nimport sys\n\nclass Own: ...\n\n"
        "def make():\n    assert sys.modules[Own.__module__].Own is Own\n    return (1, 2)\n"
    )
    monkeypatch.chdir(tmp_path)
    result = CliRunner().invoke(explaining, ["one/model.py:f", "--inputs", "two/model.py:make"])
    assert result.exit_code == 2
    assert "the arguments come from two/model.py:make" in result.stderr, "two arguments are too many, and known by then"
