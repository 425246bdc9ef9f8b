"""The skill for coding agents names commands, options and fields that exist."""

import re
from pathlib import Path

import pytest
import typer
import yaml

from compile_lessons.commands.cli import app
from compile_lessons.commands.diagnose import NAMES
from compile_lessons.reports.json import FIELDS

SKILL = (Path(__file__).parents[1] / "skills" / "diagnose" / "SKILL.md").read_text(encoding="utf-8")
_, FRONT, BODY = SKILL.split("---\n", 2)
CODE = re.findall(r"`([^`\n]+)`", re.sub(r"```.*?```", "", BODY, flags=re.S))
COMMANDS = [line for block in re.findall(r"```sh\n(.*?)```", BODY, re.S) for line in block.splitlines()]
PARAMETERS = typer.main.get_command(app).commands["diagnose"].params  # type: ignore[attr-defined]
OPTIONS = {option for parameter in PARAMETERS for option in parameter.opts}
#: Words in code that are no field: files, values, names of the program's or of torch's.
OTHERS = {
    *("before.json", "after.json", "fault", "advice", "gone", "new", "still", "diff", "error:", "tensor", "…"),
    *("--", "aot_eager", "python -I", "TORCH_TRACE", "recompile_limit", "torch.compile"),
}


def test_front_matter_has_what_agents_read() -> None:
    front = yaml.safe_load(FRONT)
    assert front.keys() == {"name", "description"}
    assert front["name"] == "diagnose" and re.fullmatch(r"[a-z-]{1,64}", front["name"])
    assert 100 < len(front["description"]) <= 1024


def test_each_option_is_the_commands() -> None:
    words = [word for text in [*CODE, *COMMANDS] for word in text.partition(" -- ")[0].split()]
    named = {word for word in words if word.startswith("--") and word != "--"}
    assert len(named) >= 8
    assert named <= OPTIONS


def test_each_name_in_code_is_a_field() -> None:
    names = {text for text in CODE if not text.startswith(("--", "pip install")) and text not in OTHERS}
    fields = {path.replace("[]", "") for path in FIELDS} | {path.rpartition(".")[2] for path in FIELDS}
    assert {"rule", "severity", "where", "evidence", "remedy", "lesson", "counts.calls"} <= names
    assert names <= fields
    assert set(CODE) >= OTHERS, "what the skill no longer says"


def test_each_condition_can_be_asked() -> None:
    conditions = re.search(r"--fail-if '([^']+)'", BODY)
    assert conditions
    assert {re.split(r"[<>=!]", part)[0] for part in conditions[1].split(",")} <= set(NAMES)


@pytest.mark.parametrize("command", [line for line in COMMANDS if line.startswith("compile-lessons")])
def test_each_command_is_one_of_the_packages(command: str) -> None:
    assert command.split()[1] in typer.main.get_command(app).commands  # type: ignore[attr-defined]
