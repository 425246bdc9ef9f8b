"""``compile-lessons explain``: what ``torch.compile`` does with a reader's own function or module."""

from __future__ import annotations

import importlib.util
import inspect
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from types import ModuleType
from typing import Annotated, Any

import typer
from rich.console import Console
from rich.text import Text


class ExplainError(Exception):
    """A file, a name or inputs that can't be used; the message is for the reader."""


def explain(
    what: Annotated[str, typer.Argument(metavar="FILE.py:NAME", help="A function, a method's owner or a module.")],
    inputs: Annotated[
        str | None, typer.Option(metavar="[FILE.py:]NAME", help="A function that returns the arguments of one call.")
    ] = None,
    calls: Annotated[
        str | None, typer.Option(metavar="[FILE.py:]NAME", help="A function that returns a list of calls' arguments.")
    ] = None,
    json: Annotated[Path | None, typer.Option(metavar="OUT", help="Write everything there as JSON.")] = None,
    only: Annotated[
        str | None,
        typer.Option(metavar="PARTS", help="Some of graphs,breaks,guards,kernels,machine,code."),
    ] = None,
    target: Annotated[
        str, typer.Option(metavar="TARGET", help="cpu, or a GPU that need not be there: h200, a100, l4, b200.")
    ] = "cpu",
) -> None:
    """Compile FILE.py:NAME once and explain what happened, stage by stage.

    NAME may be dotted (Model.forward needs an instance: make one in the file). Without --inputs the function
    make_inputs of the same file gives the arguments, if there is one. A function of inputs returns a tuple of
    arguments, a dict of keywords, or a pair of both.
    """
    try:
        text, failed = explanation(what, inputs, calls, json, only, target)
    except ExplainError as error:
        typer.echo(f"error: {error}", err=True)
        raise typer.Exit(2) from None
    write(text)
    if failed:
        raise typer.Exit(1)


def explanation(
    what: str, inputs: str | None, calls: str | None, json: Path | None, only: str | None, target: str = "cpu"
) -> tuple[str, bool]:
    """The text to print, and whether something failed. Raises ``ExplainError``; writes ``json`` if it is given."""
    from compile_lessons.gpu import GpuToolsMissing
    from compile_lessons.pipeline import CaptureError, capture, capture_calls

    sections = _sections(only)
    if calls is not None and target != "cpu":
        raise ExplainError("--calls counts compiles on the CPU: leave --target out")
    fn = find(what)
    with _for_the_reader(CaptureError), _for_the_reader(GpuToolsMissing):
        if calls is not None:
            found = capture_calls(fn)(list(_call(find(_beside(what, calls)))))
            failed = any(call.error for call in found.calls)
        else:
            args, kwargs = arguments(what, inputs)
            found = capture(fn, target=target)(*args, **kwargs)
            failed = bool(found.failures) or found.comparison.status == "different"
    if json is not None:
        json.write_text(found.to_json(), encoding="utf-8")
    if calls is not None or not sections:
        return str(found), failed
    notes = [str(failure) for failure in found.failures]
    return "\n\n".join([*notes, *(make(found) for make in sections)]), failed


def _sections(only: str | None) -> list[Callable[[Any], str]]:
    from compile_lessons.pipeline.text import SECTIONS

    names = [name.strip() for name in (only or "").split(",") if name.strip()]
    unknown = [name for name in names if name not in SECTIONS]
    if unknown:
        raise ExplainError(f"--only does not know {', '.join(unknown)}; it knows {', '.join(SECTIONS)}")
    return [SECTIONS[name] for name in names]


def _beside(what: str, name: str) -> str:
    """``NAME`` alone is in the same file as ``what``."""
    return name if ".py:" in name else f"{what.partition('.py:')[0]}.py:{name}"


def arguments(what: str, inputs: str | None) -> tuple[tuple, dict[str, Any]]:
    """Arguments and keywords from the function of inputs; none if no such function is given or found."""
    if inputs is None:
        module = load(Path(_split(what)[0]))
        return _normal(_call(module.make_inputs)) if hasattr(module, "make_inputs") else ((), {})
    return _normal(_call(find(_beside(what, inputs))))


def _call(make: Callable[[], Any]) -> Any:
    with _for_the_reader(Exception):
        return make()


def _normal(made: Any) -> tuple[tuple, dict[str, Any]]:
    if isinstance(made, dict):
        return (), made
    if isinstance(made, tuple) and len(made) == 2 and isinstance(made[0], tuple) and isinstance(made[1], dict):
        return made
    return (made if isinstance(made, tuple) else (made,)), {}


def _split(what: str) -> tuple[str, str]:
    file, colon, name = what.rpartition(":")
    if not colon or not file.endswith(".py") or not name:
        raise ExplainError(f"{what!r} is not of the form FILE.py:NAME")
    return file, name


def find(what: str) -> Any:
    """The object named by ``FILE.py:NAME``; an ``nn.Module`` class is instantiated if it needs no arguments."""
    import torch

    file, name = _split(what)
    found: Any = load(Path(file))
    for part in name.split("."):
        if not hasattr(found, part):
            names = ", ".join(sorted(n for n in vars(found) if not n.startswith("_"))) if vars(found) else "nothing"
            raise ExplainError(f"{file} has no {name!r}; it has: {names}")
        found = getattr(found, part)
    if inspect.isclass(found) and issubclass(found, torch.nn.Module):
        return _call(found)
    return found


_loaded: dict[Path, ModuleType] = {}


def load(file: Path) -> ModuleType:
    """The module in a file, run once, with its folder importable as for ``python FILE.py``."""
    path = file.resolve()
    if path in _loaded:
        return _loaded[path]
    if not path.is_file():
        raise ExplainError(f"there is no file {file}")
    spec = importlib.util.spec_from_file_location(path.stem, path)
    module = importlib.util.module_from_spec(spec)
    sys.path.insert(0, str(path.parent))
    sys.modules.setdefault(path.stem, module)  # dataclasses and pickles in the file look their module up
    with _for_the_reader(Exception):
        spec.loader.exec_module(module)
    _loaded[path] = module
    return module


@contextmanager
def _for_the_reader(kind: type[Exception]) -> Iterator[None]:
    """Turn an exception of the reader's code into a message with the reader's line."""
    try:
        yield
    except ExplainError:
        raise
    except kind as error:
        from compile_lessons.pipeline.source import from_traceback

        place = from_traceback(error.__traceback__)
        line = f"\n  at {place.file}:{place.line}: {place.text}" if place else ""
        raise ExplainError(f"{type(error).__name__}: {error}{line}") from error


def write(text: str) -> None:
    """Print: in a terminal in color, and through a pager if it is long; plain text if piped."""
    console = Console()
    if not console.is_terminal:
        typer.echo(text)
        return
    colored = color(text)
    if text.count("\n") < console.height:
        console.print(colored)
        return
    with console.pager(styles=True):
        console.print(colored)


def color(text: str) -> Text:
    """Failures and breaks in red and yellow, headings of stages in bold."""
    colored = Text(text, no_wrap=True)
    colored.highlight_regex(r"(?m)^(.*failed: |different from).*$", "red")
    colored.highlight_regex(r"(?m)^(break:|skipped|not compiled|no ).*$", "yellow")
    colored.highlight_regex(r"(?m)^(frame|resume function|\w+ graph,|Inductor,).*$", "bold")
    return colored
