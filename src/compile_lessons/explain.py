"""``compile-lessons explain``: what ``torch.compile`` does with a reader's own function or module."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from contextlib import nullcontext, redirect_stdout
from pathlib import Path
from typing import Annotated, Any

import typer

from compile_lessons.loading import ExplainError, calls_of, inputs_of, to_compile
from compile_lessons.terminal import status, write


def explain(
    what: Annotated[
        str, typer.Argument(metavar="FILE.py:NAME", help="A function, an nn.Module or a method of an instance.")
    ],
    inputs: Annotated[
        str | None, typer.Option(metavar="[FILE.py:]NAME", help="A function that returns the arguments of one call.")
    ] = None,
    calls: Annotated[
        str | None,
        typer.Option(
            metavar="[FILE.py:]NAME", help="A function that returns a list of calls: which of them recompile?"
        ),
    ] = None,
    json: Annotated[
        str | None, typer.Option(metavar="OUT", help="Write everything there as JSON; - is standard output.")
    ] = None,
    only: Annotated[
        str | None,
        typer.Option(metavar="PARTS", help="Some of graphs,breaks,guards,kernels,machine,code."),
    ] = None,
    target: Annotated[
        str, typer.Option(metavar="GPU", help="cpu, or a GPU that need not be there: h200, a100, l4, b200.")
    ] = "cpu",
) -> None:
    """Compile FILE.py:NAME once and explain what happened, stage by stage.

    NAME may be dotted (Model.forward needs an instance: make one in the file). Without --inputs the function
    make_inputs of the same file gives the arguments, if there is one.

    A function of inputs returns a tuple of arguments, a dict of keywords, or a pair of a tuple and a dict. Anything
    else, a list too, is one argument. With --calls each item of the list has one of these forms.

    The exit status is 0, 1 if something failed or differs from eager mode, 2 if the command can't be followed.
    """
    try:
        sections = _sections(only, target)
        _check_options(inputs, calls, json, only, target)
        # What the reader's code prints would be in the midst of the JSON.
        with redirect_stdout(sys.stderr) if json == "-" else nullcontext():
            found = _one(what, inputs, target) if calls is None else _several(what, calls)
        try:
            if json not in (None, "-"):
                _write_json(found, json)
        finally:  # the explanation is printed also where the file can't be written
            _print(found, sections, as_json=json == "-")
    except ExplainError as error:
        typer.echo(f"error: {error}", err=True)
        raise typer.Exit(2) from None
    if _failed(found):
        raise typer.Exit(1)


def _sections(only: str | None, target: str) -> list[Callable[[Any], str]]:
    """The parts to show, as functions from a pipeline to text; none for all of it."""
    from compile_lessons.pipeline.text import SECTIONS

    if only is None:
        return []
    names = [name.strip() for name in only.split(",") if name.strip()]
    unknown = [name for name in names if name not in SECTIONS]
    if unknown or not names:
        problem = f"does not know {', '.join(unknown)}" if unknown else "names no part"
        raise ExplainError(f"--only {problem}; it knows {', '.join(SECTIONS)}")
    if "machine" in names and target == "cpu":
        raise ExplainError("--only machine is the machine code for a GPU: name one with --target")
    return [SECTIONS[name] for name in names]


def _check_options(inputs: str | None, calls: str | None, json: str | None, only: str | None, target: str) -> None:
    if calls is not None and inputs is not None:
        raise ExplainError("--inputs is for one call, --calls for several: give one of them")
    if calls is not None and only is not None:
        raise ExplainError("--only does not go with --calls, which shows calls and no stages")
    if calls is not None and target != "cpu":
        raise ExplainError("--calls counts compiles on the CPU: leave --target out")
    if json not in (None, "-"):
        _check_json(json)


def _check_json(out: str) -> None:
    """Refuse before the compile what can't be written after it."""
    file = Path(out)
    if not out:
        raise ExplainError("--json needs the name of a file, or - for standard output")
    if ".py" in (file.suffix, file.resolve().suffix):
        raise ExplainError(f"--json does not write into {out}: a .py file is source code")
    if file.is_dir():
        raise ExplainError(f"{out} is a folder: name a file in it")
    if not file.absolute().parent.is_dir():
        raise ExplainError(f"there is no folder {file.parent} to write {file.name} into")
    if not os.access(file if file.exists() else file.absolute().parent, os.W_OK):
        raise ExplainError(f"{out} can't be written: you have no permission")


def _one(what: str, inputs: str | None, target: str) -> Any:
    """The ``Pipeline`` of one call."""
    fn = to_compile(what)

    from compile_lessons.gpu import GpuToolsMissing
    from compile_lessons.pipeline import CaptureError, capture

    try:
        captured = capture(fn, target=target)
        args, kwargs = inputs_of(what, fn, inputs)
        with status("compiling …"):
            return captured(*args, **kwargs)
    except (CaptureError, GpuToolsMissing) as error:
        raise ExplainError(str(error)) from error


def _several(what: str, calls: str) -> Any:
    """The ``Calls`` of a list of arguments. What recompiles is decided before Inductor, which is left out."""
    fn = to_compile(what)

    from compile_lessons.pipeline import CaptureError, capture_calls

    made = calls_of(what, fn, calls)
    try:
        with status("compiling …"):
            return capture_calls(fn, backend="eager")(made)
    except CaptureError as error:
        raise ExplainError(str(error)) from error


def _failed(found: Any) -> bool:
    from compile_lessons.pipeline import Calls

    if isinstance(found, Calls):
        return any(call.error for call in found.calls)
    return bool(found.failures) or found.comparison.status == "different"


def _write_json(found: Any, out: str) -> None:
    try:
        Path(out).write_text(found.to_json(), encoding="utf-8")
    except OSError as error:
        raise ExplainError(f"{out} can't be written: {error.strerror}") from None


def _print(found: Any, sections: list[Callable[[Any], str]], as_json: bool) -> None:
    try:
        if as_json:
            typer.echo(found.to_json())
        else:
            write(_some(found, sections) if sections else str(found))
    except BrokenPipeError:
        raise  # typer ends the command without a word, as for any reader of a pipe that has seen enough
    except OSError as error:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())  # Python would try once more at its end
        raise ExplainError(f"standard output can't be written: {error.strerror}") from None


def _some(found: Any, sections: list[Callable[[Any], str]]) -> str:
    """The parts asked for, after what makes the command fail."""
    from compile_lessons.pipeline.text import failures_text

    different = str(found.comparison) if found.comparison.status == "different" else ""
    texts = [failures_text(found.failures), different, *(make(found) for make in sections)]
    return "\n\n".join(text for text in texts if text)
