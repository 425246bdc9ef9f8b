"""Each program runs unedited, as its own process; its first finding has the rule and the line that a comment names."""

import ast
import json
import re
import subprocess
import sys
import tomllib
from importlib.metadata import version
from pathlib import Path
from typing import Any

import pytest

from diffs import edited

PROGRAMS = Path(__file__).parent
#: What a program of ``sick`` is with its fix, as a diff.
FIXES: dict[str, str] = tomllib.loads((PROGRAMS / "fixed.toml").read_text())
#: ``# finding: recompile-limit`` stands in the line that the finding is to show first. With ``# advice:`` there is no
#: fault, and this advice is among others: a slow machine gives more, as on the time of a compile.
MARK = re.compile(r" *# (?:finding|advice): (\S+)")
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

#: Programs that torch runs right since a version.
RIGHT_SINCE = {"sick/dropped_backward": (2, 15)}
TORCH = tuple(map(int, version("torch").split(".")[:2]))


def programs(kind: str) -> list[str]:
    """Return the names of the programs of a kind: ``sick/item``, and ``fixed/item`` for the same with its fix."""
    names = FIXES if kind == "fixed" else sorted(path.stem for path in (PROGRAMS / kind).glob("*.py"))
    return [f"{kind}/{name}" for name in names]


def source(name: str) -> str:
    kind, program = name.split("/")
    if kind != "fixed":
        return (PROGRAMS / f"{name}.py").read_text()
    try:
        return edited(MARK.sub("", source(f"sick/{program}")), FIXES[program])
    except ValueError as error:
        raise ValueError(f"fixed.toml, {program}: {error}") from None


def diagnose(name: str, folder: Path, *arguments: str, timeout: float = 600) -> dict[str, Any]:
    out = folder / "report.json"
    program = PROGRAMS / f"{name}.py"
    if name.startswith("fixed/"):
        program = folder / program.name
        program.write_text(source(name))
    options = OPTIONS.search(source(name))
    command = [
        sys.executable,
        "-m",
        "compile_lessons",
        "diagnose",
        "--json",
        str(out),
        *(options[1].split() if options else ()),
        str(program),
        *arguments,
    ]
    done = subprocess.run(command, capture_output=True, text=True, timeout=timeout)
    assert done.returncode == STATUS.get(name, 0), done.stderr
    return json.loads(out.read_text())


def expected(name: str) -> list[tuple[str, int]]:
    """Return the rule and the line that a comment of the program names; none for a program without a fault."""
    if name in RIGHT_SINCE and RIGHT_SINCE[name] <= TORCH:
        return []
    marks = [(mark[1], n) for n, line in enumerate(source(name).splitlines(), 1) if (mark := MARK.search(line))]
    return [(rule_here(name, rule), number) for rule, number in marks]


def rule_here(name: str, rule: str) -> str:
    """Return the rule with the torch that is installed."""
    since, before = OLDER.get(name, ((0, 0), rule))
    return rule if since <= TORCH else before


def told(name: str, result: dict[str, Any]) -> list[tuple[str, int]]:
    """Return the rule and the line of each fault that the report has, and of the advice that the program names."""
    advised = re.findall(r"# advice: (\S+)", source(name))
    found = [item for item in result["findings"] if item["severity"] == "fault" or item["rule"] in advised]
    return [(item["rule"], item["where"][0]["line"]) for item in found]


def cases() -> list[Any]:
    names = [name for kind in ("sick", "fixed", "healthy") for name in programs(kind)]
    return [pytest.param(name, marks=() if name in DAILY else pytest.mark.nightly) for name in names]


def test_each_fix_fits_its_program() -> None:
    for name in programs("fixed"):
        ast.parse(source(name), filename=name)
    for name, diff in tomllib.loads((PROGRAMS / "gpu" / "fixed.toml").read_text()).items():
        ast.parse(edited((PROGRAMS / "gpu" / f"{name}.py").read_text(), diff), filename=name)


@pytest.mark.parametrize("name", cases())
def test_first_finding(name: str, tmp_path: Path) -> None:
    result = diagnose(name, tmp_path)
    assert bool(MARK.search(source(name))) == name.startswith("sick/")
    assert told(name, result)[:1] == expected(name), json.dumps(result["findings"], indent=1)
    assert not result["missing"]


@pytest.mark.nightly
@pytest.mark.parametrize("name", WHOLE)
def test_whole_scripts(name: str, tmp_path: Path) -> None:
    arguments, rule, text = WHOLE[name]
    found = diagnose(name, tmp_path, *arguments)["findings"]
    assert [item["rule"] for item in found] == [rule_here(name, rule)]
    assert found[0]["where"][0]["text"] == text
