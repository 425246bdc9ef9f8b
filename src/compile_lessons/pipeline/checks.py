"""Check the callable, the settings and the arguments of a capture."""

import difflib
import inspect
import os
from collections.abc import Callable
from typing import Any

import torch

from compile_lessons.pipeline.compiled import is_compiled_in_place, original_of, without_compile


class CaptureError(ValueError):
    """The callable or its inputs can't be captured; the message says why and where."""


class AlreadyCompiled(CaptureError):
    """The callable is what ``torch.compile`` returned, or a module compiled in place."""


def check_callable(fn: Any, observe: bool = False) -> None:
    """Raise ``CaptureError`` if ``fn`` is not callable, a class, a coroutine function or TorchScript, or compiled.

    What is only observed may be compiled.
    """
    if not callable(fn):
        raise CaptureError(f"{fn!r} is not callable: pass a function, a method or an nn.Module")
    if inspect.isclass(fn):
        raise CaptureError(f"{name_of(fn)} is a class: pass an instance, or a function that creates and uses one")
    if inspect.iscoroutinefunction(fn) or inspect.isasyncgenfunction(fn):
        raise CaptureError(
            f"{name_of(fn)} is a coroutine function: pass the functions that it calls, which Dynamo can compile"
        )
    if isinstance(fn, (torch.jit.ScriptModule, torch.jit.ScriptFunction)):
        raise CaptureError(
            f"{name_of(fn)} is TorchScript, which Dynamo does not trace: "
            "pass the module or function that it was created from"
        )
    original = original_of(fn)
    if observe:
        return
    if original is not None:
        attribute = ", its attribute __wrapped__" if inspect.isfunction(fn) else ""
        raise AlreadyCompiled(
            f"{name_of(fn)} is already compiled: pass observe=True to watch it as it is, or the original, "
            f"{where(original)}{attribute}"
        )
    if is_compiled_in_place(fn):
        raise AlreadyCompiled(
            f"{name_of(fn)} was compiled in place with .compile(): pass observe=True to watch it as it is, or a module "
            "that was not"
        )


def check_settings(mode: str | None, options: dict[str, Any] | None) -> None:
    """Raise ``CaptureError`` for a mode or an option that Inductor does not know, and for both together."""
    if mode is None and not options:
        return
    import torch._inductor  # takes a second, and most calls have neither

    if mode is not None and options:
        raise CaptureError("pass mode or options, not both: a mode is a set of options")
    modes = torch._inductor.list_mode_options()
    if mode is not None and mode not in modes:
        raise CaptureError(f"mode {mode!r} is not known; known modes: {', '.join(modes)}")
    settings = torch._inductor.list_options()
    for name in options or ():
        if name.replace("-", "_") not in settings:
            close = difflib.get_close_matches(name, settings, 3)
            hint = f"did you mean {' or '.join(close)}?" if close else "torch._inductor.list_options() has all"
            raise CaptureError(f"Inductor has no option {name!r}; {hint}")


def check_inputs(fn: Callable[..., Any], args: tuple[Any, ...], kwargs: dict[str, Any]) -> None:
    """Raise ``CaptureError`` if the arguments don't fit the signature."""
    fn = without_compile(fn)
    function = fn.forward if isinstance(fn, torch.nn.Module) else fn
    try:
        signature = inspect.signature(function)
    except ValueError:
        return  # some builtins have no signature; the call itself will tell
    try:
        signature.bind(*args, **kwargs)
    except TypeError as error:
        raise CaptureError(f"{name_of(fn)}{signature} does not take these inputs: {error} ({where(fn)})") from None


def name_of(fn: Any) -> str:
    """Return the name of a callable, or of its class. What ``torch.compile`` returns has the original's name."""
    fn = without_compile(fn)
    if isinstance(fn, torch.nn.Module):
        return type(fn).__name__
    return getattr(fn, "__qualname__", None) or type(fn).__name__


def where(fn: Any) -> str:
    """Return ``name at file:line``, as far as the callable has a source."""
    function = type(fn).forward if isinstance(fn, torch.nn.Module) else inspect.unwrap(fn)
    code = getattr(function, "__code__", None)
    place = f" at {os.path.relpath(code.co_filename)}:{code.co_firstlineno}" if code else ""
    return name_of(fn) + place
