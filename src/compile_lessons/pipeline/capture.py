"""``capture``: run a callable once through ``torch.compile`` and keep what every stage did."""

from __future__ import annotations

import difflib
import inspect
import os
from collections.abc import Callable
from typing import Any

import torch

from compile_lessons.gpu.devices import DEVICES, Device, find_device
from compile_lessons.gpu.tools import require_triton
from compile_lessons.pipeline.model import Pipeline


#: Where a capture can stop.
STAGES = ("dynamo", "inductor")


class CaptureError(ValueError):
    """The callable or its inputs can't be captured; the message says why and where."""


class AlreadyCompiled(CaptureError):
    """The callable is what ``torch.compile`` returned, or a module compiled in place."""


def capture(
    fn: Callable[..., Any],
    *,
    dynamic: bool | None = None,
    backward: bool | str = "auto",
    mode: str | None = None,
    options: dict[str, Any] | None = None,
    fullgraph: bool = False,
    target: str | Device = "cpu",
    compare: bool = False,
    until: str = "inductor",
) -> Callable[..., Pipeline]:
    """Capture one compile of ``fn``: ``capture(fn)(x, scale=2.0)`` returns a ``Pipeline``.

    ``dynamic``, ``mode``, ``options`` and ``fullgraph`` are those of ``torch.compile``. ``backward`` is ``"auto"``
    (differentiate if some output requires a gradient), ``True`` (raise if none does) or ``False``.

    The callable runs once, compiled, with the arguments as they are. ``until`` stops the compile early: after
    ``"dynamo"`` (its graphs then run in eager mode, and no compiler is needed) or after ``"inductor"``, the last stage.

    With ``compare=True`` the callable also runs in eager mode, on copies of the arguments, and ``Pipeline.comparison``
    says whether the results are equal. What that run changed in all else that it reaches (modules, optimizers, attributes, globals
    that it names, containers and tensors in them, gradients) and the random generators are put back, so that all is as
    after one call. ``Comparison`` says when it runs more often than these two times. What it does to the world outside
    (prints, files, state of libraries) it does at each of these runs.

    ``target`` is ``"cpu"``, or a GPU to write code for that need not be there: ``"h200"``, ``"a100"``, ``"l4"``,
    ``"b200"`` or a ``compile_lessons.gpu.Device``. Give CPU tensors: Dynamo sees them, then its graphs are moved to
    the GPU, Inductor writes Triton code, and each kernel goes on to machine code (``Pipeline.gpu_kernels``). The call
    itself then runs in eager mode on the CPU, so there is nothing to compare.

    What fails during the compile, the call or the backward pass is in ``Pipeline.failures``, with everything that was
    captured before. Raises ``CaptureError`` for a callable, settings or inputs that can't be compiled at all, and
    ``hooks.MissingHook`` (a ``RuntimeError``) if this torch lacks a private function that a stage watches. With a GPU
    as target: ``compile_lessons.gpu.GpuToolsMissing`` (a ``RuntimeError``) where there is no triton.

    The caches of compiled graphs are asked but not used, as a hit would hide the stages below it. What other threads
    compile meanwhile is taken for a part of this compile.
    """
    check_callable(fn)
    check_settings(mode, options)
    device = _device(target)
    if backward not in (True, False, "auto"):
        raise CaptureError(f"backward must be True, False or 'auto', not {backward!r}")
    if until not in STAGES:
        raise CaptureError(f"until must be one of {', '.join(map(repr, STAGES))}, not {until!r}")

    def captured(*args: Any, **kwargs: Any) -> Pipeline:
        from compile_lessons.pipeline.session import Settings, record

        check_inputs(fn, args, kwargs)
        untraced = torch.compiler.disable(record)  # also where the caller is being compiled
        return untraced(fn, args, kwargs, Settings(dynamic, backward, mode, options, fullgraph, device, compare, until))

    return captured


def _device(target: str | Device) -> Device | None:
    """The described GPU; ``None`` for the CPU."""
    if isinstance(target, str) and target.lower() == "cpu":
        return None
    if isinstance(target, str) and target.lower() not in DEVICES:
        known = ", ".join(map(repr, ("cpu", *DEVICES)))
        raise CaptureError(f"target {target!r} is not known; known targets: {known}, or a compile_lessons.gpu.Device")
    require_triton()
    return find_device(target)


def check_callable(fn: Any) -> None:
    """Raise ``CaptureError`` if ``fn`` is not callable, a class, a coroutine function or TorchScript, or compiled."""
    if not callable(fn):
        raise CaptureError(f"{fn!r} is not callable: give a function, a method or an nn.Module")
    if inspect.isclass(fn):
        raise CaptureError(f"{name_of(fn)} is a class: give an instance, or a function that makes and uses one")
    if inspect.iscoroutinefunction(fn) or inspect.isasyncgenfunction(fn):
        raise CaptureError(f"{name_of(fn)} is a coroutine function: Dynamo compiles the functions it calls, give those")
    if isinstance(fn, (torch.jit.ScriptModule, torch.jit.ScriptFunction)):
        raise CaptureError(
            f"{name_of(fn)} is TorchScript, which Dynamo does not trace: give the module or function it was made of"
        )
    original = _original(fn)
    if original is not None:
        raise AlreadyCompiled(f"{name_of(fn)} is already compiled: give the original, {where(original)}")
    if isinstance(fn, torch.nn.Module) and getattr(fn, "_compiled_call_impl", None) is not None:
        raise AlreadyCompiled(f"{name_of(fn)} was compiled in place with .compile(): give a module that was not")


def _original(fn: Any) -> Any:
    """What was compiled, ``None`` if nothing was. ``torch.compiler.disable`` wraps too; a mock has every attribute."""
    attributes = getattr(getattr(fn, "__func__", fn), "__dict__", {})
    if "_torchdynamo_disable" in attributes:
        return None
    compiled_module = type(fn).__name__ == "OptimizedModule"
    return attributes.get("_torchdynamo_orig_callable") or (fn._orig_mod if compiled_module else None)


def check_settings(mode: str | None, options: dict[str, Any] | None) -> None:
    """Raise ``CaptureError`` for a mode or an option that Inductor does not know, and for both together."""
    if mode is None and not options:
        return
    import torch._inductor

    if mode is not None and options:
        raise CaptureError("give mode or options, not both: a mode is a set of options")
    modes = torch._inductor.list_mode_options()
    if mode is not None and mode not in modes:
        raise CaptureError(f"mode {mode!r} is not known; known modes: {', '.join(modes)}")
    known = torch._inductor.list_options()
    for name in options or ():
        if name.replace("-", "_") not in known:
            close = difflib.get_close_matches(name, known, 3)
            hint = f"did you mean {' or '.join(close)}?" if close else "torch._inductor.list_options() has all"
            raise CaptureError(f"Inductor has no option {name!r}; {hint}")


def check_inputs(fn: Callable[..., Any], args: tuple, kwargs: dict[str, Any]) -> None:
    """Raise ``CaptureError`` if the arguments don't fit the signature."""
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
    if isinstance(fn, torch.nn.Module):
        return type(fn).__name__
    return getattr(fn, "__qualname__", None) or type(fn).__name__


def where(fn: Any) -> str:
    """``name at file:line``, as far as the callable has a source."""
    function = type(fn).forward if isinstance(fn, torch.nn.Module) else inspect.unwrap(fn)
    code = getattr(function, "__code__", None)
    place = f" at {os.path.relpath(code.co_filename)}:{code.co_firstlineno}" if code else ""
    return name_of(fn) + place
