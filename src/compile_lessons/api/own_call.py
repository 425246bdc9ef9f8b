"""Find the call of a function or a module that a program itself compiles, while the program runs.

``sys.setprofile`` shows each call in each thread just before it begins. So nothing of the program is changed, and what
the call depends on is in force: autocast, gradients, the settings of its thread. Three kinds of calls are looked at:
of what ``torch.compile`` returned for a function, of a module, and of a function with the name in the program's file.
Relies on ``fn``, the original function in the closure of what ``torch.compile`` returns.
"""

import functools
import gc
import importlib
import inspect
import itertools
import os
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, ExitStack, contextmanager, nullcontext
from dataclasses import dataclass
from types import CodeType, FrameType, FunctionType, MethodType
from typing import Any

import torch

from compile_lessons.api.compare.reach import inside, walk
from compile_lessons.facts import Circumstance, Location
from compile_lessons.facts.source import location
from compile_lessons.ground.arguments import Arguments
from compile_lessons.ground.site import address
from compile_lessons.pipeline.checks import CaptureError
from compile_lessons.pipeline.compiled import is_compiled, uncompiled, without_compile
from compile_lessons.pipeline.forward_backward import loss_scale
from compile_lessons.pipeline.locations import is_outside_torch
from compile_lessons.pipeline.programs import OwnCompile, note, noted_compiles
from compile_lessons.pipeline.state import never_look

#: Torch's settings. From torch 2.12 on, what a thread sets is not set in another one.
_SETTINGS = ("torch._dynamo.config", "torch._inductor.config", "torch._functorch.config")
_MODULE_CALL = torch.nn.Module.__call__.__code__
_THREAD_START = threading.Thread.start.__code__


@dataclass(frozen=True)
class OwnCall:
    """A call to explain, with what the program has around it."""

    fn: Callable[..., Any]
    arguments: Arguments
    #: The context of the call that its backward pass is outside of.
    within: Callable[[], AbstractContextManager[Any]] = nullcontext
    circumstances: tuple[Circumstance, ...] = ()


class OwnCallWatch:
    """Looks for a call of ``name``, and has ``at_call`` make it in its place, in whatever thread that is.

    It is the call with this ``number`` among those that the program compiles, or of all calls if ``uncompiled`` is set.
    ``name`` is that of a function, a class or a method in ``file``, or an expression such as ``self.model`` that is
    what is called where ``file`` leads to the call.
    """

    def __init__(self, file: str, name: str, number: int, uncompiled: bool, at_call: Callable[[OwnCall], None]) -> None:
        self.file, self.name, self.number, self.uncompiled, self.at_call = file, name, number, uncompiled, at_call
        #: How many such calls there were, and the line of the first call that the program doesn't compile.
        self.calls = 0
        self.not_compiled: Location | None = None
        self.found = False
        #: What ended the program in the middle of the call.
        self.ended: Any = None
        self._last = name.rpartition(".")[2]
        self._counter = itertools.count(1)
        self._over = threading.Event()
        self._process = os.getpid()
        never_look(self._look.__code__)
        self._compiled_call = _compiled_call()
        #: The settings of the thread that starts another one, and the threads that no library starts.
        self._starters: dict[threading.Thread, dict[str, Any]] = {}
        self._own_threads: list[threading.Thread] = []
        self._checked: tuple[int, bool] = (-1, False)
        self._before = len(noted_compiles())

    def compiles(self) -> list[OwnCompile]:
        """Return what the program has compiled."""
        return noted_compiles()[self._before :]

    def run(self, program: Callable[[], None]) -> None:
        """Run a program and the threads that it starts to their end, or to the call."""
        threading.setprofile(self._look)
        sys.setprofile(self._look)
        try:
            program()
            for thread in self._own_threads:
                if not thread.daemon:
                    thread.join()
        finally:
            sys.setprofile(None)
            threading.setprofile(None)
        if self.found:
            self._over.wait()

    def _look(self, frame: FrameType, event: str, _: Any) -> None:
        code = frame.f_code
        if event != "call":
            return
        if code is _THREAD_START:
            thread = frame.f_locals["self"]
            self._starters[thread] = _settings()
            if frame.f_back and is_outside_torch(frame.f_back.f_code.co_filename):
                self._own_threads.append(thread)
        elif (
            code is _MODULE_CALL
            or code is self._compiled_call
            or (code.co_name == self._last and code.co_filename == self.file and code.co_flags & inspect.CO_OPTIMIZED)
        ):
            if self.found:
                self._wait()
            elif self._is_named(frame) and not self._is_part(frame) and os.getpid() == self._process:
                self._take(frame)

    def _take(self, frame: FrameType) -> None:
        """Have a call made here, if it is the one."""
        arguments = _arguments(frame)
        if not self.uncompiled and not self._compiles(frame, arguments):
            self.not_compiled = self.not_compiled or _caller(frame)
            return
        self.calls = number = next(self._counter)
        if number != self.number:
            return
        self.found = True
        sys.setprofile(None)
        autocasts = _autocasts()
        circumstances = tuple(self._around(frame, autocasts))
        fn = frame.f_locals["self"] if frame.f_code is _MODULE_CALL else _function(frame)
        try:
            with _entered(autocasts, False):
                self.at_call(OwnCall(fn, arguments, lambda: _entered(autocasts, True), circumstances))
        except SystemExit as error:
            self.ended = error.code
            raise
        finally:
            self._over.set()

    def _wait(self) -> None:
        """Have the program's other threads wait while the call is made, so that nothing else compiles meanwhile."""
        thread = threading.current_thread()
        if thread is threading.main_thread() or thread in self._starters:
            self._over.wait()

    def _is_named(self, frame: FrameType) -> bool:
        called, code, owner = _called(frame)
        if isinstance(called, torch.nn.Module) and _own_name(type(called).__qualname__) == self.name:
            return True
        if code is not None and code.co_filename == self.file and _own_name(code.co_qualname) == self.name:
            return True
        return any(_is_same(without_compile(value), called, code, owner) for value in self._values(frame))

    def _values(self, frame: FrameType | None) -> Iterator[Any]:
        """Yield what the name is in each function of the file that leads to a call, and in the file itself."""
        first, *rest = self.name.split(".")
        scopes = [vars(sys.modules["__main__"])]
        while (frame := frame.f_back if frame else None) is not None:
            if frame.f_code.co_filename == self.file:
                scopes.append(frame.f_locals)
        for scope in scopes:
            value = scope.get(first)
            for part in rest:
                value = _attribute(value, part)
            if value is not None:
                yield value

    def _is_part(self, frame: FrameType | None) -> bool:
        """Return whether something else that is compiled makes the call: it is a part of that."""
        while (frame := frame.f_back if frame else None) is not None:
            if frame.f_code is _compiled_call():
                return True
        return False

    def _compiles(self, frame: FrameType, arguments: Arguments) -> bool:
        if frame.f_code is _compiled_call():
            return True
        if frame.f_code is _MODULE_CALL and is_compiled(frame.f_locals["self"]):
            return True
        compiles = len(noted_compiles())
        if self._checked[0] != compiles:  # what can be reached is looked at once only, as it takes time
            fn = frame.f_locals["self"] if frame.f_code is _MODULE_CALL else _function(frame)
            self._checked = compiles, reaches_compiled(fn, arguments)
        return self._checked[1]

    def _around(self, frame: FrameType, autocasts: dict[str, torch.dtype]) -> Iterator[Circumstance]:
        """Yield what the program has around a call."""
        contexts = [f"autocast({device!r}, {dtype})" for device, dtype in autocasts.items()]
        if torch.is_inference_mode_enabled():
            contexts.append("inference_mode()")
        elif not torch.is_grad_enabled():
            contexts.append("no_grad()")
        thread = threading.current_thread()
        where = " in a new thread" if thread in self._starters else ""
        yield Circumstance(
            what=f"called{where}{' within ' if contexts else ''}{' and '.join(contexts)}", location=_caller(frame)
        )
        if (scale := loss_scale()) != 1:
            what = f"differentiated with gradients scaled by {scale:,.0f}, as GradScaler does"
            yield Circumstance(what=what, location=None)
        inside = _settings()
        for name, value in self._starters.get(thread, inside).items():
            if inside[name] != value:
                what = f"{name} is {value!r} in the thread that starts it and {inside[name]!r} in the new one"
                yield Circumstance(what=f"{what}\n  see {address('production/serving#settings')}", location=None)


def compiled_with(fn: Callable[..., Any], name: str, options: dict[str, Any]) -> Callable[..., Any]:
    """Return ``fn`` compiled with these options instead of its own. Raises ``CaptureError`` if torch refuses them."""
    fn = uncompiled(fn)
    given: dict[str, Any] = {name: dict(it) if isinstance(it, dict) else it for name, it in options.items()}
    try:
        compiled: Callable[..., Any] = torch.compile(fn, **given)
    except Exception as error:  # options that torch refuses, by exceptions of several types
        message = f"torch.compile refuses the options of --compile: {type(error).__name__}: {error}"
        raise CaptureError(message) from error
    note(compiled, name, options, None)
    return compiled


def reaches_compiled(fn: Any, arguments: Arguments = ((), {})) -> bool:
    """Return whether ``fn`` is compiled, or something that a call can reach is, or calls ``torch.compile``."""
    reached = walk({"": fn, "arguments": arguments}, inside).objects.values()
    modules = [part for value in reached if isinstance(value, torch.nn.Module) for part in value.modules()]
    return any(map(is_compiled, [*reached, *modules])) or any(map(_calls_compile, reached))


def _calls_compile(value: Any) -> bool:
    """Return whether a function calls ``torch.compile``, by the names in its code."""
    code, names = getattr(value, "__code__", None), getattr(value, "__globals__", {})
    if code is None or not hasattr(code, "co_names"):
        return False
    return "compile" in code.co_names and any(names.get(name) is torch for name in code.co_names)


@functools.cache
def _compiled_call() -> CodeType:
    """Return the code of each function that ``torch.compile`` returns."""
    code: CodeType = torch.compile(_compiled_call, backend="eager").__code__
    return code


def _own_name(qualname: str) -> str:
    """Return the name of a function without the function that it is defined in."""
    return qualname.rpartition("<locals>.")[2]


def _attribute(value: Any, name: str) -> Any:
    try:
        return getattr(value, name, None)
    except Exception:  # of any type, by a property of the reader's: then this is not what is called
        return None


def _called(frame: FrameType) -> tuple[Any, CodeType | None, Any]:
    """Return what a call that begins is of, without ``torch.compile``, its code, and its ``self`` if it has one.

    A function that is called as it is has no object here, only its code.
    """
    values, code = frame.f_locals, frame.f_code
    if code is _MODULE_CALL:
        module = without_compile(values["self"])
        return module, getattr(without_compile(module.forward), "__code__", None), module
    if code is _compiled_call():
        function = without_compile(values["fn"])
        return function, getattr(function, "__code__", None), getattr(function, "__self__", None)
    return None, code, values[code.co_varnames[0]] if code.co_argcount else None


def _is_same(value: Any, called: Any, code: CodeType | None, owner: Any) -> bool:
    """Return whether a value in the program is what is called: a method, the object, or a function with the code."""
    if isinstance(value, MethodType):
        return value.__self__ is owner and getattr(value.__func__, "__code__", None) is code
    return value is called if called is not None else getattr(value, "__code__", None) is code


def _function(frame: FrameType) -> Any:
    """Return the function that a frame runs: that with its code and the variables of its closure."""
    code = frame.f_code
    for function in gc.get_referrers(code):
        if isinstance(function, FunctionType) and function.__code__ is code:
            cells = zip(code.co_freevars, function.__closure__ or (), strict=True)
            if all(cell.cell_contents is frame.f_locals[name] for name, cell in cells if name in frame.f_locals):
                return function
    raise AssertionError(f"no function has the code of {code.co_qualname}")


def _arguments(frame: FrameType) -> Arguments:
    """Return the arguments of a call that begins."""
    values = frame.f_locals
    if frame.f_code in (_MODULE_CALL, _compiled_call()):
        return values["args"], values["kwargs"]
    names, others, keywords, _ = inspect.getargvalues(frame)
    positional, only = names[: frame.f_code.co_argcount], names[frame.f_code.co_argcount :]
    args = (*(values[name] for name in positional), *(values[others] if others else ()))
    return args, {**{name: values[name] for name in only}, **(values[keywords] if keywords else {})}


def _caller(frame: FrameType | None) -> Location | None:
    """Return the line of the program that makes a call."""
    while (frame := frame.f_back if frame else None) is not None:
        if is_outside_torch(frame.f_code.co_filename):
            return location(frame.f_code.co_filename, frame.f_lineno, frame.f_code.co_name)
    return None


def _autocasts() -> dict[str, torch.dtype]:
    """Return the devices for which autocast is on, with the dtype."""
    return {kind: torch.get_autocast_dtype(kind) for kind in ("cpu", "cuda") if torch.is_autocast_enabled(kind)}


@contextmanager
def _entered(autocasts: dict[str, torch.dtype], enabled: bool) -> Iterator[None]:
    with ExitStack() as stack:
        for device, dtype in autocasts.items():
            stack.enter_context(torch.autocast(device, dtype=dtype, enabled=enabled))
        yield


def _settings() -> dict[str, Any]:
    """Return torch's settings, as the current thread has them."""
    modules = [importlib.import_module(name) for name in _SETTINGS]
    return {f"{module.__name__}.{name}": it for module in modules for name, it in module.get_config_copy().items()}
