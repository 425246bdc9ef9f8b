"""``compile-lessons explain``: what ``torch.compile`` does with a reader's own function or module."""

from __future__ import annotations

from contextlib import nullcontext
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from typer.core import TyperCommand

from compile_lessons.commands.loading import (
    ExplainError,
    Named,
    as_script,
    calls_of,
    has_make_inputs,
    inputs_of,
    named,
)
from compile_lessons.commands.program import program_of
from compile_lessons.commands.sites import Sites
from compile_lessons.commands.terminal import stop, write
from compile_lessons.findings.catalogue import plain, silent_bugs
from compile_lessons.findings.rules_of_compile import FAILED, findings_of
from compile_lessons.gpu import DEVICES
from compile_lessons.gpu.tools import fix_without_gpu
from compile_lessons.ground.files import write_atomically
from compile_lessons.ground.reading import parse
from compile_lessons.ground.site import address
from compile_lessons.ground.streams import take_output, write_to
from compile_lessons.ground.words import wrap

if TYPE_CHECKING:  # torch takes a second to import, and wrong options are refused without it
    from compile_lessons.facts import Calls, Pipeline, StageFailure

#: The parts that --only shows, and the stage after which the compile may stop for each, in the order of the stages.
PARTS = {
    "breaks": "dynamo",
    "guards": "dynamo",
    "graphs": "aot",
    "kernels": "inductor",
    "machine": "inductor",
    "code": "inductor",
}

#: So many known bugs are listed.
_MOST_BUGS = 3


class OneTarget(TyperCommand):
    """Refuses what stands before ``--`` beside the target: a second target would be an argument of the first's file."""

    #: The command's name, in the message.
    verb = "explain"

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        after = args[args.index("--") + 1 :] if "--" in args else []
        left = super().parse_args(ctx, list(args))
        what, arguments = ctx.params["what"], ctx.params["arguments"] or []
        if len(arguments) > len(after):
            script = " ".join(arguments)
            fix = (
                f"{self.verb} them one by one, or put arguments of the script after --: {self.verb} {what} -- {script}"
            )
            stop(f"{self.verb} takes one FILE.py:NAME, and not {arguments[0]!r} too\n  Fix: {fix}", 2)
        return left


def explain(
    what: Annotated[
        str, typer.Argument(metavar="FILE.py:NAME", help="A function, an nn.Module or a method of an instance.")
    ],
    arguments: Annotated[
        list[str] | None, typer.Argument(metavar="[-- ARGUMENTS]", help="The command-line arguments of FILE.py.")
    ] = None,
    inputs: Annotated[
        str | None, typer.Option(metavar="[FILE.py:]NAME", help="A function that returns the arguments of one call.")
    ] = None,
    calls: Annotated[
        str | None,
        typer.Option(
            metavar="[FILE.py:]NAME",
            help="A function that returns a list of calls; the output shows which of them recompile.",
        ),
    ] = None,
    only: Annotated[
        str | None,
        typer.Option(
            metavar="PARTS",
            help=f"Print only these parts, in more detail: a comma-separated list of {','.join(PARTS)}.",
        ),
    ] = None,
    everything: Annotated[bool, typer.Option("--all", help="Print every stage in full.")] = False,
    json: Annotated[
        str | None, typer.Option(metavar="OUT", help="Write everything to this file as JSON; - means standard output.")
    ] = None,
    html: Annotated[
        str | None, typer.Option(metavar="OUT.html", help="Write all stages to this file as linked panes, to browse.")
    ] = None,
    compile: Annotated[
        str | None,
        typer.Option(
            metavar="OPTIONS",
            help="Compile NAME with these options of torch.compile, such as dynamic=False, instead of as FILE.py does.",
        ),
    ] = None,
    target: Annotated[
        str,
        typer.Option(
            metavar="GPU", help=f"cpu, or a GPU, which this machine doesn't need to have: {', '.join(DEVICES)}."
        ),
    ] = "cpu",
) -> None:
    """Compile FILE.py:NAME once, as FILE.py does, and explain what happened, on one screen.

    For example: compile-lessons explain model.py:net --inputs model.py:make_inputs

    NAME may contain dots, as in model.forward; for a method, create an instance in the file and name the instance's
    method. Without --inputs, explain calls make_inputs in the same file, if there is one, to get the arguments.

    The inputs function returns a tuple of positional arguments, a dict of keyword arguments, or a pair of a tuple and
    a dict. Anything else, including a list, is passed as one argument. With --calls, each item of the list has one of
    these forms, or is a function that is run before the next call.

    The exit status is 0 on success, 1 if something failed, a result differs from eager mode or a limit of recompiles is
    reached, 2 if the command is invalid, and 130 if it was interrupted.
    """
    try:
        parts = _parts(only)
        _check_options(parts, inputs, calls, everything, json, target := target.lower())
        _check_html(html, calls)
        file = Path(json).absolute() if json and json != "-" else None
        output = take_output() if json == "-" else None
        with as_script(what.rpartition(":")[0], arguments or []) as stderr:
            if stderr.isatty():
                print("compiling …", file=stderr)  # after the names are checked it may take a minute
            everywhere = bool(json or html) or not parts or target != "cpu"
            until = "inductor" if everywhere else [stage for name, stage in PARTS.items() if name in parts][-1]
            machine = target == "cpu" or everything or bool(json or html) or "machine" in parts
            look_up = everything or bool(json or html)  # what torch's caches answer is shown nowhere else
            function = named(what)
            result: Pipeline | Calls
            if calls:
                result = _calls(function, compile, calls)
            else:
                result = _pipeline(function, compile, inputs, target, until, machine, look_up)
            maker = "make_inputs" if inputs is None and has_make_inputs(function) else ""
        if html is not None:  # before the text, which may have no reader
            _write_html(Path(html).absolute(), result)
        if output is not None:
            write_to(output, _encoded(result) + b"\n")
        else:
            if file is not None:  # before the text, which may have no reader
                _write_file(file, _encoded(result))
            fix = _fix(result) if target == "cpu" else ""
            write(_program(result) + _text(result, parts, everything, maker) + _known_bugs(result, function) + fix)
    except ExplainError as error:
        stop(str(error), 2)
    except KeyboardInterrupt as error:
        stop(str(error) or "interrupted", 130)
    if _failed(result):
        raise typer.Exit(1)


def _parts(only: str | None) -> list[str]:
    """The names in --only, each once; none for no --only."""
    names = list(dict.fromkeys(name.strip() for name in (only or "").split(",") if name.strip()))
    unknown = [name for name in names if name not in PARTS]
    if unknown or (only is not None and not names):
        raise ExplainError(f"--only {only!r} is not known\n  Fix: name some of {', '.join(PARTS)}")
    return names


def _check_options(
    parts: list[str], inputs: str | None, calls: str | None, everything: bool, json: str | None, target: str
) -> None:
    if target not in ("cpu", *DEVICES):
        raise ExplainError(f"--target {target!r} is not known\n  Fix: name one of {', '.join(('cpu', *DEVICES))}")
    if calls and (inputs or parts or everything or target != "cpu"):
        raise ExplainError(
            "--calls counts compiles on the CPU and can't be combined with --inputs, --only, --all or --target"
        )
    if everything and parts:
        raise ExplainError("--all prints every part\n  Fix: use --all or --only")
    if "machine" in parts and target == "cpu":
        raise ExplainError("--only machine prints machine code for a GPU\n  Fix: name the GPU with --target")
    if json is not None and json != "-" and (json.endswith(".py") or not Path(json).absolute().parent.is_dir()):
        raise ExplainError(f"--json can't write {json!r}\n  Fix: name a .json file in a folder that exists")


def _check_html(html: str | None, calls: str | None) -> None:
    if html is None:
        return
    if calls:
        raise ExplainError("--html shows one compile and can't be combined with --calls")
    if not html.endswith((".html", ".htm")) or not Path(html).absolute().parent.is_dir():
        raise ExplainError(f"--html can't write {html!r}\n  Fix: name an .html file in a folder that exists")


def _pipeline(
    function: Named, options: str | None, inputs: str | None, target: str, until: str, machine_code: bool, look_up: bool
) -> Pipeline:
    """Call once, compile as far as ``until``, and compare with eager mode if all stages run."""
    maker = named(inputs, beside=function) if inputs else None

    from compile_lessons.api import capture
    from compile_lessons.gpu import GpuToolsMissing  # these import torch
    from compile_lessons.gpu.on_cpu import cuda_on_cpu
    from compile_lessons.ground.patching import UnsupportedTorch
    from compile_lessons.pipeline.checks import CaptureError

    compare = until == "inductor" and target == "cpu"
    try:
        # With a GPU as target, the reader's file may name CUDA devices.
        with nullcontext() if target == "cpu" else cuda_on_cpu(DEVICES[target]):
            program = program_of(function, options)
            args, kwargs = inputs_of(function, program.fn, maker)
            captured = capture(
                program.fn,
                target=target,
                compare=compare,
                until=until,
                machine_code=machine_code,
                look_up=look_up,
                observe=program.observe,
                within=program.within,
            )
            result = program.run(lambda: captured(*args, **kwargs))
    except (CaptureError, GpuToolsMissing, UnsupportedTorch) as error:
        raise ExplainError(str(error)) from error
    if not _runs(result) and len(args) == 1 and isinstance(args[0], list):
        typer.echo("note: the list was passed as one argument; to pass several arguments, return a tuple", err=True)
    return replace(result, circumstances=(*result.circumstances, *program.circumstances))


def _runs(pipeline: Pipeline) -> bool:
    """Whether the call works without torch.compile, as far as is known."""
    return not any(failure.stage == "eager" for failure in pipeline.failures)


def _calls(function: Named, options: str | None, calls: str) -> Calls:
    """Make several calls, and compare each with eager mode.

    Dynamo and AOTAutograd decide what recompiles, so Inductor compiles for the comparison alone.
    """
    maker = named(calls, beside=function)
    program = program_of(function, options)

    from compile_lessons.api import capture_calls  # these import torch
    from compile_lessons.ground.patching import UnsupportedTorch
    from compile_lessons.pipeline.checks import CaptureError

    items = calls_of(program.fn, maker)
    captured = capture_calls(
        program.fn, backend="aot_eager", compare=True, observe=program.observe, within=program.within
    )
    try:
        result = program.run(lambda: captured(items))
        return replace(result, circumstances=(*result.circumstances, *program.circumstances))
    except (CaptureError, UnsupportedTorch) as error:
        raise ExplainError(str(error)) from error


def _failures(result: Pipeline | Calls) -> list[StageFailure]:
    from compile_lessons.facts import Calls  # here, as it imports torch

    if isinstance(result, Calls):
        return [call.error for call in result.calls if call.error]
    return list(result.failures)


def _failed(result: Pipeline | Calls) -> bool:
    """Whether a call raised, a result differs, or a limit keeps calls from compiled code."""
    return any(found.rule in FAILED for found in findings_of(result))


def _fix(result: Pipeline | Calls) -> str:
    """Return the last line of the output if the function needs a GPU, and this machine has none."""
    fixes = [fix for failure in _failures(result) if (fix := fix_without_gpu(failure.message))]
    return f"\n{fixes[0]}" if fixes else ""


def _text(result: Pipeline | Calls, parts: list[str], everything: bool, maker: str) -> str:
    from compile_lessons.facts import Calls
    from compile_lessons.forms import summary  # here, as it imports torch

    if isinstance(result, Calls):
        return summary.calls(result)
    if everything:
        return str(result)
    return summary.parts(result, parts) if parts else summary.summary(result, maker)


def _program(result: Pipeline | Calls) -> str:
    """Return how the program compiles and calls the function, what this run can't do alike first."""
    ordered = sorted(result.circumstances, key=lambda circumstance: circumstance.kept)
    return "".join(f"{circumstance}\n" for circumstance in ordered)


def _known_bugs(result: Pipeline | Calls, function: Named) -> str:
    """Return the known wrong results without an error that a difference may be, by the names in the reader's file."""
    from compile_lessons.facts import Calls  # here, as it imports torch

    calls = [call.comparison for call in result.calls] if isinstance(result, Calls) else [result.comparison]
    origin = next((it.origin for it in calls if it is not None and it.origin is not None), None)
    if origin is None:
        return ""
    names = Sites(parse(function.path.read_bytes())).names
    bugs = silent_bugs(names, origin.backend or "wrapper")[:_MOST_BUGS]
    if not bugs:
        return ""
    head = "known wrong results without an error; your file has the names for it, if it does this:"
    lines = [f"- {plain(bug.symptom)}\n  fix: {bug.words}\n  see {address(bug.lesson)}" for bug in bugs]
    return "\n\n" + "\n".join([head, *(wrap(line, "    ") for line in lines)])


def _encoded(result: Pipeline | Calls) -> bytes:
    r"""JSON in UTF-8. Half a surrogate pair, which UTF-8 lacks, becomes ``\udc80``, which is how JSON writes it."""
    return result.to_json().encode("utf-8", "backslashreplace")


def _write_file(file: Path, data: bytes) -> None:
    try:
        write_atomically(file, data)
    except OSError as error:
        raise ExplainError(f"{file} can't be written: {error.strerror}") from None


def _write_html(file: Path, result: Pipeline | Calls) -> None:
    from compile_lessons.explorer import page
    from compile_lessons.facts import Pipeline

    if isinstance(result, Pipeline):  # --html and --calls don't go together
        _write_file(file, page(result).encode("utf-8", "backslashreplace"))
        typer.echo(f"all stages, linked: {file}", err=True)
