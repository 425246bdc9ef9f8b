"""``compile-lessons explain``: what ``torch.compile`` does with a reader's own function or module."""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Annotated, Any, NoReturn, TextIO

import typer

from compile_lessons.gpu import DEVICES
from compile_lessons.loading import ExplainError, as_script, calls_of, inputs_of, named, place, to_compile
from compile_lessons.terminal import note, own_streams, take_output, write


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
        target = target.lower()
        sections = _sections(only, target)
        _check_options(inputs, calls, only, target)
        _check_cache()
        file = None if json is None or _is_output(json) else _json_file(json)
        taken = _take_output() if json is not None and file is None else None
        with own_streams() as stderr:
            found = _one(what, inputs, target, stderr) if calls is None else _several(what, calls, stderr)
        try:
            if file is not None:
                _write_file(_encoded(found), file, json)
        finally:  # the explanation is printed also where the file can't be written
            _print(found, sections, taken)
    except ExplainError as error:
        _stop(str(error))
    except Warning as error:  # not of the reader's code, whose exceptions are caught where it runs
        _stop(f"{error}\n  torch can't be imported where warnings are errors, as with PYTHONWARNINGS=error")
    if _failed(found):
        raise typer.Exit(1)


def _stop(message: str) -> NoReturn:
    typer.echo(f"error: {message}", err=True)
    raise typer.Exit(2) from None


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
    return [SECTIONS[name] for name in dict.fromkeys(names)]


def _check_options(inputs: str | None, calls: str | None, only: str | None, target: str) -> None:
    if calls is not None and inputs is not None:
        raise ExplainError("--inputs is for one call, --calls for several: give one of them")
    if calls is not None and only is not None:
        raise ExplainError("--only does not go with --calls, which shows calls and no stages")
    if target not in ("cpu", *DEVICES):
        raise ExplainError(f"--target {target!r} is not known; known targets: {', '.join(('cpu', *DEVICES))}")
    if calls is not None and target != "cpu":
        raise ExplainError("--calls counts compiles on the CPU: leave --target out")


def _check_cache() -> None:
    """Inductor makes this folder while it is imported, and a failure there would be a long traceback."""
    folder = os.environ.get("TORCHINDUCTOR_CACHE_DIR")
    try:
        if folder:
            os.makedirs(folder, exist_ok=True)
    except OSError as error:
        remedy = "TORCHINDUCTOR_CACHE_DIR names it for what Inductor writes: name a folder that you may write into"
        raise ExplainError(f"{folder} can't be made: {error.strerror}\n  {remedy}") from None


def _is_output(json: str) -> bool:
    """Whether this is standard output: ``-``, ``/dev/stdout``, or the file or pipe that it was sent to."""
    if json == "-":
        return True
    try:
        return os.path.samestat(os.stat(json), os.fstat(1))
    except OSError:  # one of the two is not there
        return False


def _json_file(json: str) -> Path:
    """The file to write; what can't be written after the compile is refused before it."""
    if not json:
        raise ExplainError("--json needs the name of a file, or - for standard output")
    typed, file = Path(json), place(json)
    if ".py" in (typed.suffix, file.suffix):
        raise ExplainError(f"--json does not write into {json}: a .py file is source code")
    if file.is_dir():
        raise ExplainError(f"{json} is a folder: name a file in it")
    if typed.exists() and not typed.is_file():
        return typed.absolute()  # a device or a pipe: what /dev/fd/63 resolves to can't be opened
    if not file.parent.is_dir():
        raise ExplainError(f"there is no folder {typed.parent} to write {typed.name} into")
    if not os.access(file if file.exists() else file.parent, os.W_OK):
        raise ExplainError(f"{json} can't be written: you have no permission")
    return file


def _take_output() -> int:
    if sys.stdout is None:
        raise ExplainError("--json - needs standard output, which is closed")
    return take_output()


def _one(what: str, inputs: str | None, target: str, stderr: TextIO | None) -> Any:
    """The ``Pipeline`` of one call."""
    function = named(what)
    maker = None if inputs is None else named(inputs, beside=function)
    fn = to_compile(function)

    from compile_lessons.gpu import GpuToolsMissing
    from compile_lessons.pipeline import CaptureError, capture

    try:
        captured = capture(fn, target=target, compare=True)
        args, kwargs = inputs_of(function, fn, maker)
        note("compiling …", stderr)
        with as_script(function.file):
            return captured(*args, **kwargs)
    except (CaptureError, GpuToolsMissing) as error:
        raise ExplainError(str(error)) from error


def _several(what: str, calls: str, stderr: TextIO | None) -> Any:
    """The ``Calls`` of a list of arguments. What recompiles is decided before Inductor, which is left out."""
    function = named(what)
    maker = named(calls, beside=function)
    fn = to_compile(function)

    from compile_lessons.pipeline import CaptureError, capture_calls

    made = calls_of(fn, maker)
    note("compiling …", stderr)
    try:
        with as_script(function.file):
            return capture_calls(fn, backend="eager")(made)
    except CaptureError as error:
        raise ExplainError(str(error)) from error


def _failed(found: Any) -> bool:
    from compile_lessons.pipeline import Calls

    if isinstance(found, Calls):
        return any(call.error for call in found.calls)
    return bool(found.failures) or (found.comparison is not None and found.comparison.status == "different")


def _encoded(found: Any) -> bytes:
    """JSON in UTF-8. What UTF-8 lacks, half a surrogate pair, becomes \\udc80, which is JSON's own way to write it."""
    return found.to_json().encode("utf-8", "backslashreplace")


def _write_file(data: bytes, file: Path, typed: str) -> None:
    """Write all of it or nothing, but for what is no ordinary file."""
    part = file.with_name(f".{os.getpid()}.part")
    try:
        if (file.exists() and not file.is_file()) or not os.access(file.parent, os.W_OK):
            file.write_bytes(data)
            return
        try:
            part.write_bytes(data)
            if file.exists():
                shutil.copymode(file, part)
            part.replace(file)
        finally:
            part.unlink(missing_ok=True)
    except OSError as error:
        raise ExplainError(f"{typed} can't be written: {error.strerror}") from None


def _print(found: Any, sections: list[Callable[[Any], str]], taken: int | None) -> None:
    """Print the text, or the JSON to what was taken."""
    try:
        if taken is not None:
            with open(taken, "wb") as out:
                out.write(_encoded(found) + b"\n")
        else:
            write(_some(found, sections) if sections else str(found))
    except BrokenPipeError:
        raise  # typer ends the command without a word, as for any reader of a pipe that has seen enough
    except OSError as error:
        if taken is None:  # Python would try once more at its end
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        raise ExplainError(f"standard output can't be written: {error.strerror}") from None


def _some(found: Any, sections: list[Callable[[Any], str]]) -> str:
    """The parts asked for, after what makes the command fail."""
    from compile_lessons.pipeline.text import failures_text

    different = str(found.comparison) if found.comparison and found.comparison.status == "different" else ""
    texts = [failures_text(found.failures), different, *(make(found) for make in sections)]
    return "\n\n".join(text for text in texts if text)
