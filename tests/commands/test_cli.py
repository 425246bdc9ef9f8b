"""The readers' command: what it offers, and its help."""

import os
import subprocess
import sys
from importlib import metadata
from pathlib import Path

import pytest
from typer.testing import CliRunner

from compile_lessons.commands.cli import app
from compile_lessons.course.cli import app as authors


def test_version() -> None:
    result = CliRunner().invoke(app, ["--version"])
    assert result.exit_code == 0 and f"torch {metadata.version('torch')}" in result.stdout


def test_an_interrupt_while_the_command_loads(tmp_path: Path) -> None:
    (tmp_path / "typer.py").write_text("raise KeyboardInterrupt\n")
    command = [sys.executable, "-m", "compile_lessons", "--help"]
    ended = subprocess.run(command, env=os.environ | {"PYTHONPATH": str(tmp_path)}, capture_output=True, text=True)
    assert (ended.returncode, ended.stderr) == (130, "error: interrupted\n")


def test_readers_see_no_command_of_the_authors() -> None:
    names = {command.name or command.callback.__name__ for command in authors.registered_commands}
    assert {"run", "record", "check", "cache", "versions", "new"} == names
    for name in names:
        result = CliRunner().invoke(app, [name])
        assert result.exit_code == 2 and f"No such command '{name}'" in result.output


@pytest.mark.parametrize("command", [[], ["explain"], ["lab"], ["lab", "check"], ["lab", "solution"]])
def test_the_help_names_no_type_of_python(command: list[str]) -> None:
    printed = CliRunner().invoke(app, [*command, "--help"]).output
    assert "--help" in printed and "<" not in printed, printed


def test_the_help_of_the_authors_names_no_type_of_python() -> None:
    for command in authors.registered_commands:
        printed = CliRunner().invoke(authors, [command.name or command.callback.__name__, "--help"]).output
        assert "<str>" not in printed and "<bool>" not in printed and "list[" not in printed, printed
