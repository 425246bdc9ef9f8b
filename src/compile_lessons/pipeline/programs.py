"""What a program compiles itself: its calls of ``torch.compile``, with their options and lines.

Relies on ``callback``, a variable in the closure of what ``torch.compile`` returns for a function, and on
``OptimizedModule.dynamo_ctx``: both lead to the backend that torch makes for one call of ``torch.compile``.
"""

import functools
import inspect
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import torch

from compile_lessons.facts import Circumstance, Location
from compile_lessons.facts.source import location
from compile_lessons.ground.patching import replaced
from compile_lessons.ground.words import counted, shorten
from compile_lessons.pipeline.compiled import given_backend
from compile_lessons.pipeline.locations import is_outside_torch

_LONGEST_OPTIONS = 200  # characters


@dataclass(frozen=True)
class OwnCompile:
    """One call of ``torch.compile`` in the program: what it compiles, its options as written, and its line."""

    what: str
    options: str
    location: Location | None
    backend: Any


#: By the id of the backend, which stays alive here.
_own: dict[int, OwnCompile] = {}


@contextmanager
def recording() -> Iterator[None]:
    """Within it, note each call of ``torch.compile``. ``module.compile()`` calls it too."""
    original = torch.compile

    @functools.wraps(original)
    def noted(model: Any = None, **options: Any) -> Any:
        written = {name: dict(value) if isinstance(value, dict) else value for name, value in options.items()}
        compiled = original(model, **options)
        if model is not None:
            note(compiled, _name(model), written, _caller())
        return compiled

    with replaced({"torch:compile": noted}):
        yield


def note(compiled: Any, what: str, options: Mapping[str, Any], place: Location | None) -> None:
    """Note what ``torch.compile`` returned for ``what``."""
    backend = _backend_of(compiled)
    if backend is not None:
        _own[id(backend)] = OwnCompile(what, written(options), place, backend)


def noted_compiles() -> list[OwnCompile]:
    """Return what was noted, in order."""
    return list(_own.values())


def circumstances(backends: Sequence[Any]) -> tuple[Circumstance, ...]:
    """Return the options of the program's compiles whose backends compiled something, with their lines."""
    groups: dict[tuple[str, Location | None], list[str]] = {}
    for backend in {id(it): it for it in backends}.values():
        if (own := _own.get(id(backend))) is not None:
            groups.setdefault((own.options, own.location), []).append(own.what)
    found = []
    for (options, place), names in groups.items():
        unique = ", ".join(dict.fromkeys(names))
        what = f"{unique} is" if len(names) == 1 else f"{unique}, {counted(len(names), 'time')}, is"
        how = f"with {options}" if options else "with default options"
        source = "" if place else ", as --compile says"
        found.append(Circumstance(what=f"{what} compiled {how}{source}", location=place))
    records_graphs = any(getattr(backend, "config", {}).get("triton.cudagraphs") for backend in backends)
    if records_graphs and not torch.cuda.is_available():
        what = "on a GPU its mode records CUDA graphs, and there is none here"
        found.append(Circumstance(what=what, location=None, kept=False))
    return tuple(found)


def written(options: Mapping[str, Any]) -> str:
    """Return options as a program writes them, without defaults: ``dynamic=False, mode='max-autotune'``."""
    defaults = {name: parameter.default for name, parameter in inspect.signature(torch.compile).parameters.items()}
    defaults["backend"] = "inductor"
    parts = [f"{name}={_text(value)}" for name, value in options.items() if value != defaults.get(name)]
    return shorten(", ".join(parts), _LONGEST_OPTIONS)


def _text(value: Any) -> str:
    return getattr(value, "__name__", None) or repr(value) if callable(value) else repr(value)


def _name(model: Any) -> str:
    """Return the name of a function, or of a module's class, for a method of a module too: ``compile()`` gives it."""
    owner = getattr(model, "__self__", model)
    if isinstance(owner, torch.nn.Module):
        return type(owner).__name__
    return getattr(model, "__qualname__", None) or type(model).__name__


def _backend_of(compiled: Any) -> Any:
    """Return the backend that torch made for one call of ``torch.compile``; ``None`` if it compiles nothing."""
    if inspect.isclass(compiled):
        compiled = compiled.__call__
    context = vars(compiled).get("dynamo_ctx") if isinstance(compiled, torch.nn.Module) else None
    if context is not None:
        return given_backend(context.callback)
    function: Callable[..., Any] = getattr(compiled, "__func__", compiled)
    if not inspect.isfunction(function) or "callback" not in function.__code__.co_freevars:
        return None
    return given_backend(inspect.getclosurevars(function).nonlocals["callback"])


def _caller() -> Location | None:
    """Return the user's line that calls ``torch.compile``, or that is decorated with it."""
    frame = sys._getframe(2)
    while frame is not None:
        if is_outside_torch(frame.f_code.co_filename):
            return location(frame.f_code.co_filename, frame.f_lineno, frame.f_code.co_name)
        frame = frame.f_back  # type: ignore[assignment]
    return None
