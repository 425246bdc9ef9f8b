"""``compile-lessons diagnose``: run a program as it is, and say what torch.compile costs it and what to change."""

from __future__ import annotations

import json as json_format
import os
import re
import sys
import tempfile
import time
from collections.abc import Mapping
from contextlib import ExitStack
from dataclasses import replace
from operator import eq, ge, gt, le, lt, ne
from pathlib import Path
from typing import Annotated, Literal

import typer

from compile_lessons.commands.terminal import stop
from compile_lessons.explorer.diagnosis import diagnosis
from compile_lessons.facts.run import Run
from compile_lessons.findings.rules_of_run import findings_of
from compile_lessons.forms.run import recompile_lines, report
from compile_lessons.forms.run_json import FIELDS, counts_of, run_to_json
from compile_lessons.ground.files import write_atomically
from compile_lessons.trace.read import read_run
from compile_lessons.trace.run import CannotStart, command_of, run_program

_COMPARE = {">=": ge, "<=": le, "==": eq, "!=": ne, ">": gt, "<": lt}
_CONDITION = re.compile(r"\s*(\w+)\s*(>=|<=|==|!=|>|<)\s*(\d+(?:\.\d+)?)\s*")


class _Wrong(Exception):
    """The command line is wrong. The message is for the user."""


def diagnose(
    command: Annotated[
        list[str] | None, typer.Argument(metavar="[--] PROGRAM [ARGUMENTS]…", help="A command, or a Python file.")
    ] = None,
    seconds: Annotated[
        float | None, typer.Option(metavar="S", help="Ask the program to end after S seconds.", min=0.1)
    ] = None,
    steps: Annotated[
        int | None,
        typer.Option(
            metavar="N",
            help="Ask the program to end when one compiled function has been called N times, not counting calls "
            "inside of another compiled function. A program whose calls are short may make more of them first.",
            min=1,
        ),
    ] = None,
    quick: Annotated[
        bool,
        typer.Option(
            "--quick",
            help='Use torch\'s backend "aot_eager", which generates no code and is sooner, and needs no C++ compiler. '
            "Graph breaks are the same as with Inductor, and recompiles too, but for those from guards on sizes that "
            "Inductor adds. Seconds, kernels and CUDA graphs are not.",
        ),
    ] = False,
    compare: Annotated[
        Literal["eager"] | None,
        typer.Option(
            metavar="eager",
            help="Run the program a second time, in eager mode, and compare the seconds from call to call. What the "
            "program does to files, servers and accounts happens twice. Both runs begin with the same seeds of "
            "Python, NumPy and torch.",
        ),
    ] = None,
    profile_steps: Annotated[
        int | None,
        typer.Option(
            metavar="N",
            help="Record N calls of a compiled function with torch's profiler, once there were five without a compile. "
            "A program that uses the profiler itself keeps it, and there is no profile.",
            min=1,
        ),
    ] = None,
    cold: Annotated[bool, typer.Option("--cold", help="Begin with an empty compile cache.")] = False,
    trace: Annotated[
        Path | None, typer.Option(metavar="DIR", help="Read this folder of TORCH_TRACE; don't run a program.")
    ] = None,
    keep: Annotated[
        Path | None, typer.Option(metavar="DIR", help="Keep what was recorded in this folder, for --trace.")
    ] = None,
    json: Annotated[Path | None, typer.Option(metavar="OUT", help="Write the report to this file as JSON.")] = None,
    text: Annotated[
        Path | None, typer.Option(metavar="OUT", help="Write the report to this file too, as it is printed.")
    ] = None,
    html: Annotated[
        Path | None,
        typer.Option(
            metavar="OUT",
            help="Write the report to this file as HTML, with a timeline, and the guards, graphs and generated code of "
            "each compile. The file asks no server for anything.",
        ),
    ] = None,
    no_source: Annotated[
        bool,
        typer.Option(
            "--no-source",
            help="Leave the text of the program's lines out, and the graphs, guards and code of --html. What stays are "
            "names of files, functions and variables, line numbers, the command, values of variables that changed "
            "(strings too), and messages of torch and of exceptions.",
        ),
    ] = False,
    fail_if: Annotated[
        str | None,
        typer.Option(
            metavar="CONDITION",
            help="End with status 1 if one of these is true: 'recompiles>0,breaks>2'. @FILE reads them from a file, "
            "one in each line; # begins a comment.",
        ),
    ] = None,
) -> None:
    """Run a program as it is, then say what torch.compile costs it, in which line, and what to change.

    For example: compile-lessons diagnose train.py --lr 1e-3, or compile-lessons diagnose -- torchrun
    --nproc-per-node 2 train.py

    The program gets its own arguments, input and output; the report follows on standard error. The exit status is the
    program's, or 0 if --seconds or --steps ended it. With --fail-if it is 1 if a condition is true.
    """
    try:
        _check(command, trace, seconds or steps or quick or cold or keep or compare or profile_steps)
        _check_file("--json", json, "report.json")
        _check_file("--text", text, "report.txt")
        _check_file("--html", html, "report.html")
        if keep is not None and keep.exists() and (not keep.is_dir() or any(keep.iterdir())):
            raise _Wrong(f"--keep: {keep} is not empty\n  Fix: name a new folder, for the files of one run")
        conditions = _conditions(fail_if)
        listings = html is not None and not no_source
        with ExitStack() as stack:
            if trace is not None:
                run = read_run(trace, listings=listings)
            else:
                folder = keep or Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="compile-lessons-")))
                folder.mkdir(parents=True, exist_ok=True)
                words = command_of(command or [])
                cache = stack.enter_context(tempfile.TemporaryDirectory(prefix="compile-cache-")) if cold else None
                settings = _settings(quick, cache, profile_steps, bool(compare))
                run = _run(words, folder, seconds, steps, settings, listings)
                if compare and not run.status and run.stopped != "Ctrl-C":
                    second = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="compile-lessons-")))
                    stance = {**_settings(quick, cache, None, True), "COMPILE_LESSONS_STANCE": "force_eager"}
                    run = replace(run, eager=_run(words, second, seconds, steps, stance, False))
    except (_Wrong, CannotStart) as error:
        stop(str(error))
    findings = findings_of(run)
    counts = counts_of(run, findings)
    failed = [(asked, condition) for asked, condition in conditions if condition(counts)]
    lines = []
    for asked, condition in failed:
        lines.append(f"--fail-if: {asked} is true")
        lines += recompile_lines(run) if condition.name == "recompiles" else []
    printed = "\n".join([report(run, findings, source=not no_source), *lines])
    print(printed, file=sys.stdout if trace else sys.stderr)
    if text is not None:
        _write(text, printed)
    if html is not None:
        _write(html, diagnosis(run, findings, source=not no_source))
    if json is not None:
        _write(json, json_format.dumps(run_to_json(run, findings, source=not no_source), indent=1, ensure_ascii=False))
    if run.status and not run.stopped.startswith("--"):
        raise typer.Exit(run.status)
    if failed:
        raise typer.Exit(1)


def _run(
    words: list[str],
    folder: Path,
    seconds: float | None,
    steps: int | None,
    settings: Mapping[str, str],
    listings: bool,
) -> Run:
    ended = run_program(words, folder, seconds, steps, settings)
    return read_run(
        folder,
        collected=True,
        listings=listings,
        ended=time.time(),
        command=tuple(words),
        seconds=ended.seconds,
        status=ended.status,
        stopped=ended.stopped,
    )


def _settings(quick: bool, cache: str | None, profile_steps: int | None, seed: bool) -> dict[str, str]:
    """Return the environment variables of the options."""
    settings = {}
    if profile_steps:
        settings["COMPILE_LESSONS_PROFILE"] = str(profile_steps)
    if seed:
        settings["COMPILE_LESSONS_SEED"] = "0"
        settings["PYTHONHASHSEED"] = os.environ.get("PYTHONHASHSEED", "0")
    if quick:
        settings["TORCH_COMPILE_OVERRIDE_BACKENDS"] = ">=0:aot_eager"
    if cache:
        settings["TORCHINDUCTOR_CACHE_DIR"] = cache
    return settings


def _check(command: list[str] | None, trace: Path | None, run_options: object) -> None:
    if trace is None and not command:
        raise _Wrong("no program\n  Fix: compile-lessons diagnose train.py, or --trace DIR")
    if trace is not None and (command or run_options):
        raise _Wrong("--trace reads a folder and runs nothing\n  Fix: leave out the program and its options")
    if trace is not None and not trace.is_dir():
        raise _Wrong(f"--trace: there is no folder {trace}")


def _check_file(option: str, path: Path | None, example: str) -> None:
    """Refuse a file that can't be written, and a program in the place of a report, before anything runs."""
    if path is not None and (path.suffix == ".py" or path.is_dir() or not path.absolute().parent.is_dir()):
        raise _Wrong(f"{option} can't write {path}\n  Fix: name a file such as {example} in a folder that exists")


def _write(path: Path, text: str) -> None:
    try:
        write_atomically(path.absolute(), f"{text}\n".encode("utf-8", "backslashreplace"))
    except OSError as error:
        stop(f"{path} can't be written: {error.strerror}")


class _Condition:
    """One condition of --fail-if."""

    def __init__(self, name: str, sign: str, number: float) -> None:
        self.name, self.compare, self.number = name, _COMPARE[sign], number

    def __call__(self, counts: Mapping[str, float]) -> bool:
        return bool(self.compare(counts[self.name], self.number))


#: The names of conditions are those of the counts.
NAMES = tuple(path.removeprefix("counts.") for path in FIELDS if path.startswith("counts."))


def _conditions(text: str | None) -> list[tuple[str, _Condition]]:
    """Return the conditions of --fail-if, each with its text."""
    if text is None:
        return []
    if text.startswith("@"):
        return _conditions_of_file(Path(text[1:]))
    return [_condition(part, f"--fail-if {part!r}") for part in text.split(",")]


def _conditions_of_file(path: Path) -> list[tuple[str, _Condition]]:
    """Return the conditions of a budget, one in each line, with comments after #."""
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise _Wrong(f"--fail-if can't read {path}: {error}") from error
    parts = [(number, line.partition("#")[0].strip()) for number, line in enumerate(lines, 1)]
    conditions = [_condition(part, f"--fail-if, {path}:{number}: {part!r}") for number, part in parts if part]
    if not conditions:
        raise _Wrong(f"--fail-if: {path} has no condition\n  Fix: write one in each line, such as recompiles>0")
    return conditions


def _condition(part: str, place: str) -> tuple[str, _Condition]:
    match = _CONDITION.fullmatch(part)
    if not match or match[1] not in NAMES:
        raise _Wrong(f"{place} is not known\n  Fix: write NAME>NUMBER, with a name of {', '.join(NAMES)}")
    return part.strip(), _Condition(match[1], match[2], float(match[3]))
