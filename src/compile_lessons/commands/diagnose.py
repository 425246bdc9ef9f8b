"""``compile-lessons diagnose``: run a program as it is, and say what torch.compile costs it and what to change."""

from __future__ import annotations

import ast
import inspect
import os
import re
import signal
import sys
import tempfile
import time
import traceback
from collections.abc import Callable, Sequence
from contextlib import ExitStack, suppress
from dataclasses import dataclass, fields, replace
from importlib.machinery import PathFinder
from operator import eq, ge, gt, le, lt, ne
from pathlib import Path
from typing import Annotated, Literal, NamedTuple, NoReturn

import typer

from compile_lessons.commands.terminal import stop
from compile_lessons.facts.run import Run
from compile_lessons.facts.source import only_below
from compile_lessons.findings.compared import BACKENDS, NOISE, NOISE_OF_HALF, different_lines, first_difference, is_half
from compile_lessons.findings.rules import findings_of
from compile_lessons.findings.rules.names import looks_up_names
from compile_lessons.ground.files import write_atomically
from compile_lessons.ground.printing import printable, say
from compile_lessons.ground.reading import parse
from compile_lessons.ground.signals import holding_signals
from compile_lessons.ground.streams import LostReader
from compile_lessons.reports.json import report_to_json
from compile_lessons.reports.of_run import report_of
from compile_lessons.reports.report import Counts, Report
from compile_lessons.reports.text import recompile_lines, report_text
from compile_lessons.trace.read import read_run
from compile_lessons.trace.run import CannotStart, Ended, command_of, run_program

_COMPARE = {">=": ge, "<=": le, "==": eq, "!=": ne, ">": gt, "<": lt}
_CONDITION = re.compile(r"\s*(\w+)\s*(>=|<=|==|!=|>|<)\s*(\d+(?:\.\d+)?)\s*")


class _Wrong(Exception):
    """The command line is wrong. The message is for the user."""


@holding_signals(signal.SIGINT)  # the report follows whatever ended the program, such as a terminal that was closed
def diagnose(
    context: typer.Context,
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
            help="Run the program a second time, in eager mode, and compare what it prints, the results and gradients "
            "of the first calls, and the seconds from call to call. Where they differ, it runs up to five more times, "
            "to tell rounding from an error. What the program does to files, servers and accounts happens in each "
            "run. All begin with the same seeds of Python, NumPy and torch.",
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
    sources: Annotated[
        list[Path] | None,
        typer.Option(
            metavar="DIR",
            help="With --trace: show lines from files below this folder, too. Without it, the lines are those that the "
            "trace has, as a trace from somebody else may name any file of yours. May be given several times.",
        ),
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
            "(strings too), messages of torch and of exceptions, and with --compare a line that the program printed.",
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
    program's, or 0 if --seconds or --steps ended it. With --fail-if it is 1 if a condition is true, and 2 if one is on
    a number that was not seen.
    """
    try:
        _check(command, trace, seconds or steps or quick or cold or keep or compare or profile_steps)
        if sources and trace is None:
            raise _Wrong("--sources is for --trace\n  Fix: leave it out; a program that runs here has its lines here")
        _check_file("--json", json, "report.json")
        _check_file("--text", text, "report.txt")
        _check_file("--html", html, "report.html")
        conditions = _conditions(fail_if)
        misplaced = _misplaced(command or [])
        form = _Form(conditions, not no_source, text, html, json, printed=trace is not None, misplaced=misplaced)
        if trace is not None:
            context.with_resource(only_below(sources or ()))
            form.report(read_run(trace, listings=form.has_listings))
            return
        with ExitStack() as stack:
            folder = _folder_to_keep(keep) if keep else _temporary(stack)
            words = command_of(command or [])
            cache = str(_temporary(stack, "compile-cache-")) if cold else None
            settings = _settings(quick, cache, profile_steps, bool(compare))
            ended = run_program(words, folder, seconds, steps, settings)
            try:
                run = _read(folder, words, ended, form.has_listings)
                if compare and not run.status and (not run.stopped or run.stopped.startswith("--")):

                    def run_again(extra: dict[str, str]) -> Run:
                        other = _temporary(stack)
                        how = {**_settings(quick, cache, None, True), **extra}
                        return _read(other, words, run_program(words, other, seconds, steps, how), False)

                    run = _with_other_runs(run, run_again)
                form.report(run)
            except Exception as error:
                if isinstance(error, typer.Exit | LostReader):
                    raise
                _own_fault(ended, folder, keep is not None, bool(conditions))
    except (_Wrong, CannotStart) as error:
        stop(str(error))


def _temporary(stack: ExitStack, prefix: str = "compile-lessons-") -> Path:
    """Return a new folder. It is gone when the command ends, also where a process that outlives the program writes."""
    try:
        folder = Path(tempfile.mkdtemp(prefix=prefix))
    except OSError as error:
        raise _Wrong(f"no folder for the records: {error.strerror}\n  Fix: set TMPDIR to a folder with room") from error

    def remove() -> None:
        with tempfile.TemporaryDirectory(prefix=prefix) as ending, suppress(FileNotFoundError):
            folder.rename(Path(ending, "over"))  # nobody makes files in it anymore

    stack.callback(remove)
    return folder


def _folder_to_keep(folder: Path) -> Path:
    """Return the folder of --keep, made if it isn't there."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        if any(folder.iterdir()):
            raise _Wrong(f"--keep: {folder} is not empty\n  Fix: name a new folder, for the files of one run")
    except OSError as error:
        raise _Wrong(f"--keep: {folder} can't be used: {error.strerror}\n  Fix: name a new folder") from error
    if not os.access(folder, os.W_OK | os.X_OK):
        raise _Wrong(f"--keep: {folder} can't be written\n  Fix: name a new folder")
    return folder.absolute()


def _read(folder: Path, words: list[str], ended: Ended, listings: bool) -> Run:
    """Return the facts of a program that ran with its records in a folder."""
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


def _with_other_runs(run: Run, run_again: Callable[[dict[str, str]], Run]) -> Run:
    """Return the run with one in eager mode and, as long as values differ, with those that tell why."""
    stance = {"COMPILE_LESSONS_STANCE": "force_eager"}
    eager = run_again(stance)
    run = replace(run, eager=eager)
    if eager.status:
        return run
    if not first_difference(run, eager) and not any(different_lines(run, eager)):
        return replace(run, plain=run_again({"COMPILE_LESSONS_VALUES": "plain"})) if looks_up_names(run) else run
    compiled = run_again({"COMPILE_LESSONS_VALUES": "roundings"})
    run = replace(run, with_roundings=compiled)
    if not first_difference(compiled, eager):
        return run
    noise = NOISE_OF_HALF if is_half(run) else NOISE
    moved = run_again({**stance, "COMPILE_LESSONS_VALUES": str(noise)})
    run = replace(run, moved=moved)
    if not first_difference(compiled, eager, moved):
        return run
    for backend in list(BACKENDS)[:-1]:  # with the last one, the program has run
        other = run_again({"TORCH_COMPILE_OVERRIDE_BACKENDS": f">=0:{backend}"})
        run = replace(run, backends=(*run.backends, (backend, other)))
        if first_difference(other, eager, moved):
            break
    return run


def _own_fault(ended: Ended, folder: Path, kept: bool, asked: bool) -> NoReturn:
    """Keep the records of a program that has run, and its status, where this package failed to report on it."""
    say(traceback.format_exc(), error=True)
    if not kept:
        folder = folder.rename(folder.with_name(f"{folder.name}-kept"))
    message = f"compile-lessons failed, not the program, which ended with status {ended.status}"
    stop(f"{message}\n  Its records are in {folder}: please report this", ended.status or (2 if asked else 0))


@dataclass(frozen=True)
class _Form:
    """What becomes of a report: the conditions that it is held to, and the files that it is written to."""

    conditions: Sequence[_Condition]
    source: bool
    text: Path | None
    html: Path | None
    json: Path | None
    #: On standard output, which else is the program's.
    printed: bool
    #: Options of diagnose's that the program got.
    misplaced: Sequence[str]

    @property
    def has_listings(self) -> bool:
        return self.html is not None and self.source

    def report(self, run: Run) -> None:
        """Print and write the report on a run, and end with the status that it has."""
        report = report_of(run, findings_of(run), source=self.source)
        results = [(condition, condition.holds(report.counts)) for condition in self.conditions]
        lines = [line for condition, holds in results for line in _outcome(condition, holds, report)]
        printed = "\n".join([report_text(report), *lines])
        say(printed if self.printed else f"\n{printed}", error=not self.printed)  # the last line may have no end
        for option in self.misplaced:
            words = "as it stands after its name; options of diagnose stand before it"
            say(f"note: {option} went to the program, {words}", error=True)
        if missing := _missing(run):
            fix = "diagnose -- path/to/python FILE, or activate the environment of the program first"
            say(f"note: {sys.executable} lacks {', '.join(missing)}\n  Fix: {fix}", error=True)
        for path, form in ((self.text, lambda _: printable(printed)), (self.html, _html), (self.json, report_to_json)):
            if path is not None:
                try:
                    write_atomically(path.absolute(), f"{form(report)}\n".encode("utf-8", "backslashreplace"))
                except OSError as error:
                    stop(f"{path} can't be written: {error.strerror}")
        if run.status and not run.stopped.startswith("--"):
            raise typer.Exit(run.status)
        outcomes = [holds for _, holds in results]
        if True in outcomes or None in outcomes:
            raise typer.Exit(1 if True in outcomes else 2)


def _settings(quick: bool, cache: str | None, profile_steps: int | None, seed: bool) -> dict[str, str]:
    """Return the environment variables of the options."""
    settings = {}
    if profile_steps:
        settings["COMPILE_LESSONS_PROFILE"] = str(profile_steps)
    if seed:
        settings["COMPILE_LESSONS_SEED"] = "0"
        settings["COMPILE_LESSONS_VALUES"] = "as-is"
        settings["PYTHONHASHSEED"] = os.environ.get("PYTHONHASHSEED", "0")
    if quick:
        settings["TORCH_COMPILE_OVERRIDE_BACKENDS"] = ">=0:aot_eager"
    if cache:
        settings["TORCHINDUCTOR_CACHE_DIR"] = cache
    return settings


def _misplaced(words: list[str]) -> list[str]:
    """Return the options of diagnose that a Python file got as its own arguments, and doesn't name in its text."""
    file = Path(words[0]) if words and words[0].endswith(".py") else None
    if file is None or not file.is_file():
        return []
    own = {f"--{name.replace('_', '-')}" for name in inspect.signature(diagnose).parameters} - {
        "--context",
        "--command",
    }
    given = dict.fromkeys(word.partition("=")[0] for word in words[1:])
    text = file.read_text(encoding="utf-8", errors="replace")
    return [option for option in given if option in own and option[2:] not in text]


def _missing(run: Run) -> list[str]:
    """Return what a Python file that failed imports and this Python lacks, as one that ``uvx`` made for the command."""
    if not run.status or run.command[:1] != (sys.executable,) or not run.command[1].endswith(".py"):
        return []
    file = Path(run.command[1])
    try:
        nodes = list(ast.walk(parse(file.read_bytes(), str(file))))
    except (OSError, SyntaxError):  # the program has ended with it
        return []
    modules = [alias.name for node in nodes if isinstance(node, ast.Import) for alias in node.names]
    modules += [node.module for node in nodes if isinstance(node, ast.ImportFrom) and node.module and not node.level]
    names = {module.partition(".")[0] for module in modules} - sys.stdlib_module_names
    return sorted(name for name in names if PathFinder.find_spec(name, [str(file.parent), *sys.path]) is None)


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


def _html(report: Report) -> str:
    from compile_lessons.reports.html import report_html  # here, as it imports Jinja, and --help has to be quick

    return report_html(report)


#: The names of conditions are those of the counts.
NAMES = tuple(field.name for field in fields(Counts))


class _Condition(NamedTuple):
    """One condition of --fail-if: its text, and what it says."""

    text: str
    name: str
    sign: str
    number: float

    def holds(self, counts: Counts) -> bool | None:
        """Return whether it is true; ``None`` if the run didn't show the number."""
        count = getattr(counts, self.name)
        return None if count is None else bool(_COMPARE[self.sign](count, self.number))


def _outcome(condition: _Condition, holds: bool | None, report: Report) -> list[str]:
    """Return what is said of a condition: nothing if it is false."""
    if holds is None:
        return [f"--fail-if: {condition.text} can't be decided, as {condition.name} was not seen"]
    recompiles = recompile_lines(report) if condition.name == "recompiles" else []
    return [f"--fail-if: {condition.text} is true", *recompiles] if holds else []


def _conditions(text: str | None) -> list[_Condition]:
    """Return the conditions of --fail-if, or of the budget that it names, which has one in each line, or a comment."""
    if text is None:
        return []
    if not text.startswith("@"):
        return [_condition(part, f"--fail-if {part!r}") for part in text.split(",")]
    path = Path(text[1:])
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise _Wrong(f"--fail-if can't read {path}: {error}") from error
    parts = [(number, line.partition("#")[0].strip()) for number, line in enumerate(lines, 1)]
    conditions = [_condition(part, f"--fail-if, {path}:{number}: {part!r}") for number, part in parts if part]
    if not conditions:
        raise _Wrong(f"--fail-if: {path} has no condition\n  Fix: write one in each line, such as recompiles>0")
    return conditions


def _condition(part: str, place: str) -> _Condition:
    match = _CONDITION.fullmatch(part)
    if not match or match[1] not in NAMES:
        raise _Wrong(f"{place} is not known\n  Fix: write NAME>NUMBER, with a name of {', '.join(NAMES)}")
    return _Condition(part.strip(), match[1], match[2], float(match[3]))
