"""``compile-lessons explain``: what ``torch.compile`` does with a reader's own function or module."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, nullcontext, suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, BinaryIO

import typer
from typer.core import TyperCommand

from compile_lessons.commands import loading
from compile_lessons.commands.loading import ExplainError, Named
from compile_lessons.commands.supervise import end_program
from compile_lessons.commands.terminal import color_for_terminal, stop, write
from compile_lessons.explorer import page
from compile_lessons.facts import DEVICES, Calls, Pipeline
from compile_lessons.findings.catalogue import plain, silent_bugs
from compile_lessons.findings.rules import FAILED, findings_of
from compile_lessons.gpu import GpuToolsMissing
from compile_lessons.gpu.tools import fix_without_gpu
from compile_lessons.ground.files import write_atomically
from compile_lessons.ground.printing import printable, say
from compile_lessons.ground.reading import dotted_names
from compile_lessons.ground.site import address
from compile_lessons.ground.streams import is_command, take_output, write_to
from compile_lessons.ground.words import counted, wrap
from compile_lessons.reports import summary

if TYPE_CHECKING:  # torch takes a second to import, and wrong options are refused without it
    from compile_lessons.api.own_call import OwnCall, OwnCallWatch

#: The parts that --only shows, and the stage after which the compile may stop for each, in the order of the stages.
PARTS = {
    "breaks": "dynamo",
    "guards": "dynamo",
    "graphs": "aot",
    "kernels": "inductor",
    "machine": "inductor",
    "code": "inductor",
}

#: Known bugs that are listed.
_MOST_BUGS = 3

#: Options that ``explore`` has too.
ScriptArguments = Annotated[
    list[str] | None, typer.Argument(metavar="[-- ARGUMENTS]", help="The command-line arguments of FILE.py.")
]
Target = Annotated[
    str,
    typer.Option(metavar="GPU", help=f"cpu, or a GPU, which this machine doesn't need to have: {', '.join(DEVICES)}."),
]


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
        str, typer.Argument(metavar="FILE.py:NAME", help="A function, a class, a method or a variable in FILE.py.")
    ],
    arguments: ScriptArguments = None,
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
    call: Annotated[
        int | None, typer.Option(metavar="N", min=1, help="Explain the Nth call that compiles NAME, not the first.")
    ] = None,
    compile: Annotated[
        str | None,
        typer.Option(
            metavar="OPTIONS",
            help="Compile NAME with these options of torch.compile, such as dynamic=False, instead of as FILE.py does.",
        ),
    ] = None,
    target: Target = "cpu",
) -> None:
    """Run FILE.py up to its first call that compiles NAME, and explain that call, on one screen.

    For example: compile-lessons explain train.py:step -- --epochs 1

    NAME is a function, a class, a method such as Model.forward, or a variable such as model, also one in a function.
    FILE.py runs as python FILE.py does. explain makes the call in its place, with its arguments and all that is around
    it, and ends the program there. With --compile it is the first call of NAME, compiled or not.

    For a function that FILE.py doesn't call, add a function make_inputs to it that returns the arguments of one call,
    or name one with --inputs. With --inputs or --calls FILE.py is imported instead, unless you add --call; so is a file
    with make_inputs in which nothing is named compile.

    The inputs function returns a tuple of positional arguments, a dict of keyword arguments, or a pair of a tuple and
    a dict. Anything else, including a list, is passed as one argument. With --calls, each item of the list has one of
    these forms, or is a function that is run before the next call.

    The exit status is 0 on success, 1 if something failed, a result differs from eager mode or a limit of recompiles is
    reached, 2 if the command is invalid, and 130 if it was interrupted.
    """
    with _messages():
        parts = _parts(only)
        _check_options(parts, inputs, calls, everything, json, target := target.lower())
        _check_html(html, calls)
        asked = _Asked(
            parts=parts,
            everything=everything,
            target=target,
            json=Path(json).absolute() if json and json != "-" else None,
            html=Path(html).absolute() if html else None,
            output=take_output() if json == "-" else None,
            options=loading.options_of(compile) if compile is not None else None,
            calls=calls,
            inputs=inputs,
        )
        with ExitStack() as script:
            script.enter_context(loading.as_script(what.rpartition(":")[0], arguments or []))
            script.enter_context(loading.as_on(target))
            function = loading.named(what)
            maker = loading.named(maker_name, beside=function) if (maker_name := calls or inputs) else None
            if sys.stderr.isatty():
                say("compiling …", error=True)  # after the names are checked it may take a minute
            if call or not (maker or _has_inputs_alone(function)):
                _run_program(function, asked, maker, call or 1, script)
            result = _explained(function, asked, maker)
        status = _tell(function, asked, result, loading.has_make_inputs(function) and not maker)
    if status:
        raise typer.Exit(status)


@dataclass(frozen=True, kw_only=True)
class _Asked:
    """What the options ask for."""

    parts: list[str]
    everything: bool
    target: str
    json: Path | None
    html: Path | None
    #: Standard output, if it is for JSON alone.
    output: BinaryIO | None
    options: dict[str, Any] | None
    calls: str | None
    inputs: str | None

    @property
    def data(self) -> bool:
        """Whether all facts are kept, not only those that are printed."""
        return bool(self.json or self.html or self.output)

    @property
    def until(self) -> str:
        """The stage after which the compile may stop."""
        everywhere = self.data or not self.parts or self.target != "cpu"
        return "inductor" if everywhere else [stage for name, stage in PARTS.items() if name in self.parts][-1]


@contextmanager
def _messages() -> Iterator[None]:
    """Turn what the reader can correct into a message and a status."""
    try:
        yield
    except ExplainError as error:
        stop(str(error), 2)
    except KeyboardInterrupt as error:
        message = str(error) or "interrupted"
        if is_command():  # threads of the program may go on
            end_program(lambda: stop(message, 130))
        stop(message, 130)


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
    check_target(target)
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


def check_target(target: str) -> None:
    if target not in ("cpu", *DEVICES):
        raise ExplainError(f"--target {target!r} is not known\n  Fix: name one of {', '.join(('cpu', *DEVICES))}")


def _check_html(html: str | None, calls: str | None) -> None:
    if html is None:
        return
    if calls:
        raise ExplainError("--html shows one compile and can't be combined with --calls")
    if not html.endswith((".html", ".htm")) or not Path(html).absolute().parent.is_dir():
        raise ExplainError(f"--html can't write {html!r}\n  Fix: name an .html file in a folder that exists")


def _has_inputs_alone(target: Named) -> bool:
    """Return whether the file has arguments for a call, and nothing by the name of what would compile one."""
    names = {part for name in dotted_names(loading.check(target)) for part in name.split(".")}
    return "make_inputs" in names and "compile" not in names


def _run_program(target: Named, asked: _Asked, maker: Named | None, number: int, script: ExitStack) -> None:
    """Run the file up to a call of ``target``, explain that, and end. Return if there is none, but other arguments."""
    from compile_lessons.api.own_call import OwnCallWatch  # here, as it imports torch

    def at_call(call: OwnCall) -> None:
        def explain_and_tell() -> None:
            with _messages():
                result = _explained(target, asked, maker, call)
                script.close()
                raise typer.Exit(_tell(target, asked, result, False))

        end_program(explain_and_tell)

    watch = OwnCallWatch(str(target.path), target.name, number, asked.options is not None, at_call)
    run = script.enter_context(loading.as_main(target, loading.check(target)))
    with suppress(loading.ProgramOver):
        watch.run(run)
    if watch.ended is not None:
        raise typer.Exit(watch.ended)
    if not (maker or loading.has_make_inputs(target) or loading.needs_none(target)):
        raise ExplainError(_why_not(target, watch))


def _why_not(target: Named, watch: OwnCallWatch) -> str:
    """Say why no call of the program was explained, and what helps."""
    if watch.calls:
        return (
            f"{target.file} compiles {target.name} in {counted(watch.calls, 'call')}: there is no call {watch.number}"
        )
    what = f"{target.file} ends without a call that compiles {target.name}"
    fix = "add a function make_inputs that returns the arguments of one call"
    if watch.not_compiled:
        what += f"; its first call is at {watch.not_compiled}"
        return f"{what}\n  Fix: add --compile '' to compile that call, or {fix}"
    others = {f"{own.what} ({own.location})": None for own in watch.compiles() if own.location}
    if others:
        return f"{what}; it compiles {', '.join(others)}\n  Fix: name one of those, or {fix}"
    return f"{what}\n  Fix: {fix}, or name one with --inputs"


def _explained(target: Named, asked: _Asked, maker: Named | None, call: OwnCall | None = None) -> Pipeline | Calls:
    """Explain a call of the program's own, or one with the arguments that a function of the reader's returns."""
    import torch

    from compile_lessons.api import capture, capture_calls
    from compile_lessons.api.own_call import compiled_with, reaches_compiled
    from compile_lessons.ground.patching import UnsupportedTorch
    from compile_lessons.pipeline.checks import CaptureError
    from compile_lessons.pipeline.programs import recording

    fn = call.fn if call else loading.to_explain(target)
    observe = call is not None or reaches_compiled(fn)
    within = call.within if call else nullcontext
    try:
        result: Pipeline | Calls
        if asked.options is not None:
            fn, observe = compiled_with(fn, target.name, asked.options), True
        with recording():
            if asked.calls and maker:
                items = loading.calls_of(fn, maker)
                torch.compiler.reset()  # what is compiled already would be called, and not captured
                captured = capture_calls(fn, backend="aot_eager", compare=True, observe=observe, within=within)
                result = captured(items)
            else:
                args, kwargs = call.arguments if call and not maker else loading.inputs_of(target, fn, maker)
                torch.compiler.reset()
                result = capture(
                    fn,
                    target=asked.target,
                    compare=asked.until == "inductor" and asked.target == "cpu",
                    until=asked.until,
                    machine_code=asked.target == "cpu" or asked.everything or asked.data or "machine" in asked.parts,
                    look_up=asked.everything or asked.data,  # what torch's caches answer is shown nowhere else
                    observe=observe,
                    within=within,
                )(*args, **kwargs)
                is_list = len(args) == 1 and isinstance(args[0], list)
                if is_list and maker and any(failure.stage == "eager" for failure in result.failures):
                    more = "to pass several arguments, return a tuple"
                    say(f"note: the list was passed as one argument; {more}", error=True)
    except (CaptureError, GpuToolsMissing, UnsupportedTorch) as error:
        raise ExplainError(str(error)) from error
    return replace(result, circumstances=(*result.circumstances, *(call.circumstances if call else ())))


def _tell(target: Named, asked: _Asked, result: Pipeline | Calls, from_make_inputs: bool) -> int:
    """Write the explanation, and return the exit status."""
    if asked.html is not None and isinstance(result, Pipeline):  # before the text, which may have no reader
        _write_file(asked.html, page(result).encode("utf-8", "backslashreplace"))
        say(f"all stages, linked: {asked.html}", error=True)
    if asked.output is not None:
        write_to(asked.output, _encoded(result) + b"\n")
    else:
        if asked.json is not None:
            _write_file(asked.json, _encoded(result))
        maker = "make_inputs" if from_make_inputs else ""
        failures = [it.error for it in result.calls if it.error] if isinstance(result, Calls) else result.failures
        fixes = [fix for failure in failures if (fix := fix_without_gpu(failure.message))]
        fix = f"\n{fixes[0]}" if fixes and asked.target == "cpu" else ""
        # What the program has around the call, what this run can't do alike first.
        around = "".join(f"{it}\n" for it in sorted(result.circumstances, key=lambda it: it.kept))
        color_for_terminal()
        text = _text(result, asked.parts, asked.everything, maker)
        write(around + text + _known_bugs(result, target) + fix)
    # A call raised, a result differs, or a limit keeps calls from compiled code.
    return int(any(found.rule in FAILED for found in findings_of(result)))


def _text(result: Pipeline | Calls, parts: list[str], everything: bool, maker: str) -> str:
    if isinstance(result, Calls):
        return summary.calls(result)
    if everything:
        return str(result)
    return summary.parts(result, parts) if parts else summary.summary(result, maker)


def _known_bugs(result: Pipeline | Calls, function: Named) -> str:
    """Return the known wrong results without an error that a difference may be, by the names in the reader's file."""
    calls = [call.comparison for call in result.calls] if isinstance(result, Calls) else [result.comparison]
    origin = next((it.origin for it in calls if it is not None and it.origin is not None), None)
    if origin is None:
        return ""
    bugs = silent_bugs(dotted_names(loading.check(function)), origin.backend or "wrapper")[:_MOST_BUGS]
    if not bugs:
        return ""
    head = "known wrong results without an error; your file has the names for it, if it does this:"
    lines = [
        f"- {plain(bug.symptom)}{f': {plain(bug.cause)}' if bug.cause else ''}\n"
        f"  fix: {plain(bug.remedy)}\n  see {address(bug.lesson)}"
        for bug in bugs
    ]
    return "\n\n" + "\n".join([head, *(wrap(line, "    ") for line in lines)])


def _encoded(result: Pipeline | Calls) -> bytes:
    r"""JSON in UTF-8. Half a surrogate pair, which UTF-8 lacks, becomes ``\udc80``, which is how JSON writes it."""
    return printable(result.to_json()).encode("utf-8", "backslashreplace")


def _write_file(file: Path, data: bytes) -> None:
    try:
        write_atomically(file, data)
    except OSError as error:
        raise ExplainError(f"{file} can't be written: {error.strerror}") from None
