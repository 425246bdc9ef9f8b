"""Each program runs unedited, as its own process; its first finding has the rule and the line that a comment names."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from importlib.metadata import version
from pathlib import Path
from typing import Any

import pytest

PROGRAMS = Path(__file__).parent
#: ``# finding: recompile-limit`` stands in the line that the finding is to show first. With ``# advice:`` there is no
#: fault, and this advice is among others: a slow machine gives more, as on the time of a compile.
MARK = re.compile(r"# (?:finding|advice): (\S+)")
#: ``# options: --compare eager``: what diagnose is given.
OPTIONS = re.compile(r"^# options: (.+)$", re.MULTILINE)
#: One program for each rule runs in the normal suite, the others at night.
DAILY = {
    "sick/counter_on_module",
    "sick/thread_limit",
    "sick/onecycle",
    "sick/other_method",
    "sick/print_in_loop",
    "sick/item",
    "sick/slow_guards",
    "sick/gradient_norms",
    "sick/cached_table",
    "healthy/training",
    "healthy/lengths",
    "healthy/arguments",
}
#: Programs that end with another status than 0, as they do without ``diagnose``.
STATUS = {
    "healthy/arguments": 3,
    **dict.fromkeys(("healthy/error", "healthy/fails_early"), 1),
    **dict.fromkeys(("sick/own_exception", "sick/gradient_norms", "sick/saved_wrapper", "sick/marked_batch"), 1),
}
#: Whole scripts as their authors wrote them: their arguments, and the line of the first finding, by its text.
WHOLE = {
    "whole/serve_embed": ([], "limit-in-thread", "model = torch.compile(Encoder().eval(), dynamic=False)"),
    "whole/train_onecycle": (
        ["--compile", "--steps", "20"],
        "optimizer-number",
        "scheduler = torch.optim.lr_scheduler.OneCycleLR(optimizer, max_lr=1e-2, total_steps=args.steps)",
    ),
}


#: Programs that had another fault in this line in an older torch: before 2.12, a setting held for all threads.
OLDER = {name: ((2, 12), "recompiles") for name in ("sick/thread_limit", "whole/serve_embed")}


def programs() -> list[Any]:
    paths = (path for folder in ("sick", "fixed", "healthy") for path in sorted((PROGRAMS / folder).glob("*.py")))
    names = [path.relative_to(PROGRAMS).with_suffix("").as_posix() for path in paths]
    return [pytest.param(name, marks=() if name in DAILY else pytest.mark.nightly) for name in names]


def diagnose(name: str, folder: Path, *arguments: str, timeout: float = 600) -> dict[str, Any]:
    out = folder / "report.json"
    options = OPTIONS.search((PROGRAMS / f"{name}.py").read_text())
    command = [
        sys.executable,
        "-m",
        "compile_lessons",
        "diagnose",
        "--json",
        str(out),
        *(options[1].split() if options else ()),
        f"{PROGRAMS / name}.py",
        *arguments,
    ]
    done = subprocess.run(command, capture_output=True, text=True, timeout=timeout)
    assert done.returncode == STATUS.get(name, 0), done.stderr
    return json.loads(out.read_text())


def expected(name: str) -> list[tuple[str, int]]:
    """Return the rule and the line that a comment of the program names; none for a program without a fault."""
    lines = (PROGRAMS / f"{name}.py").read_text().splitlines()
    marks = [(mark[1], number) for number, line in enumerate(lines, 1) if (mark := MARK.search(line))]
    return [(rule_here(name, rule), number) for rule, number in marks]


def rule_here(name: str, rule: str) -> str:
    """Return the rule with the torch that is installed."""
    since, before = OLDER.get(name, ((0, 0), rule))
    installed = tuple(map(int, version("torch").split(".")[:2]))
    return rule if installed >= since else before


def told(name: str, result: dict[str, Any]) -> list[tuple[str, int]]:
    """Return the rule and the line of each fault that the report has, and of the advice that the program names."""
    advised = re.findall(r"# advice: (\S+)", (PROGRAMS / f"{name}.py").read_text())
    found = [item for item in result["findings"] if item["severity"] == "fault" or item["rule"] in advised]
    return [(item["rule"], item["where"][0]["line"]) for item in found]


@pytest.mark.parametrize("name", programs())
def test_first_finding(name: str, tmp_path: Path) -> None:
    result = diagnose(name, tmp_path)
    assert bool(expected(name)) == name.startswith("sick/")
    assert told(name, result)[:1] == expected(name), json.dumps(result["findings"], indent=1)
    assert not result["missing"]


@pytest.mark.nightly
@pytest.mark.parametrize("name", WHOLE)
def test_whole_scripts(name: str, tmp_path: Path) -> None:
    arguments, rule, text = WHOLE[name]
    found = diagnose(name, tmp_path, *arguments)["findings"]
    assert [item["rule"] for item in found] == [rule_here(name, rule)]
    assert found[0]["where"][0]["text"] == text
