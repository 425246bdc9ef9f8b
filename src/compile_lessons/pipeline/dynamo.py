"""The Dynamo stage: frames, bytecode, graph breaks, skipped frames and Dynamo's graphs.

Relies on ``torch/_dynamo/convert_frame.py`` (what happens to a frame) and ``torch/_dynamo/symbolic_convert.py``
(graph breaks). ``DynamoWatch.HOOKS`` names every private function that is watched.
"""

import dis
import functools
import json
import os
import sys
import time
from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import dataclass, field
from types import CodeType, FrameType
from typing import Any, ClassVar

import torch
import torch._dynamo.convert_frame
import torch._dynamo.exc
from torch._guards import CompileContext

from compile_lessons.facts import Break, Graph, Instruction, Location, Skip
from compile_lessons.facts.source import is_own_file, location, resumed
from compile_lessons.ground.words import one_line
from compile_lessons.pipeline import fxgraph
from compile_lessons.pipeline.compiled import given_backend
from compile_lessons.pipeline.hooks import Original
from compile_lessons.pipeline.locations import is_outside_torch, user_frames
from compile_lessons.pipeline.state import SavedState

#: Dynamo's name for the functions that continue after a break.


def compile_id() -> str:
    """Return torch's id of the compile in progress, ``"0/0"``."""
    return str(CompileContext.current_compile_id())


@dataclass
class FrameNotes:
    """Notes on one compile of a frame."""

    code: CodeType
    #: The class of the module whose method it is; empty for any other function.
    module: str = ""
    #: The rewritten bytecode as data. Holding the code object would keep Dynamo from cleaning up after it.
    rewritten: tuple[Instruction, ...] | None = None
    #: By type and lines.
    breaks: dict[Any, Break] = field(default_factory=dict)
    graph: Graph | None = None
    graph_id: int | None = None
    error: str | None = None
    #: Time in Dynamo and in the compilers that it calls.
    seconds: float = 0.0

    def add(self, new: Break) -> None:
        """Add a break unless it is there. Dynamo may trace a frame several times, or raise a break again at the end."""
        lines = tuple((location.file, location.line) for location in new.stack)
        self.breaks.setdefault((new.gb_type, lines), new)


class DynamoWatch:
    """Notes on every frame that Dynamo looks at, by compile id."""

    HOOKS: ClassVar[dict[str, str]] = {
        "torch._dynamo.convert_frame:CatchErrorsWrapper.__call__": "look_at",
        "torch._dynamo.convert_frame:ConvertFrameAssert.__call__": "convert",
        "torch._dynamo.convert_frame:_compile": "compile",
        "torch._dynamo.symbolic_convert:InstructionTranslatorBase.log_graph_break": "graph_break",
    }

    def __init__(self, stack: ExitStack, before: SavedState) -> None:
        self.frames: dict[str, FrameNotes] = {}
        self.skips: list[Skip] = []
        #: Whether Dynamo was given a frame of torch's own code and left it alone.
        self.skipped_torchs = False
        #: How often a compiled graph ran.
        self.runs = 0
        self.before = before
        #: The session's own backend, with its watch.
        self.watched: Callable[..., Any] | None = None
        #: What compiles a graph instead of Inductor, where the program itself compiles with Inductor.
        self.inductor: Callable[..., Any] | None = None
        #: What compiles a graph instead of any other backend of the program's; ``None`` for that backend itself.
        self.others: Callable[..., Any] | None = None
        #: The backend that ``torch.compile`` made for each frame that the program itself compiles, in order.
        self.programs: list[Any] = []
        self._states: dict[CodeType, dict[str, Any]] = {}
        handle = torch._dynamo.convert_frame.register_bytecode_hook(self._bytecode)
        stack.callback(handle.remove)

    def backend(self, compiler: Callable[..., Any]) -> Callable[..., Any]:
        """A backend that keeps Dynamo's graph, calls ``compiler``, and counts how often compiled graphs run."""

        def watched(module: torch.fx.GraphModule, inputs: list[Any], **options: Any) -> Any:
            notes = self.frames[compile_id()]
            notes.graph = fxgraph.graph("dynamo", module)
            notes.graph_id = id(module.graph)
            compiled = compiler(module, inputs, **options)

            @functools.wraps(compiled)
            def counted(*args: Any) -> Any:
                self.runs += 1
                return compiled(*args)

            return counted

        return watched

    def look_at(self, original: Original, wrapper: Any, frame: Any, *args: Any) -> Any:
        code = frame.f_code
        self.before.note(code, frame.f_globals)
        result = original(wrapper, frame, *args)
        if result.guarded_code is None and not is_outside_torch(code.co_filename):
            self.skipped_torchs = True
        if result.guarded_code is None and is_outside_torch(code.co_filename):
            reason = getattr(result, "skip_reason", None) or f"torch {torch.__version__} gives no reason"
            # Torch's own reason only says that an error was suppressed.
            errors = [notes.error for notes in self.frames.values() if notes.code is code and notes.error]
            reason = errors[-1] if errors else reason
            skip = Skip(function=code.co_name, file=code.co_filename, line=code.co_firstlineno, reason=reason)
            self.skips.append(skip)
        return result

    def convert(
        self, original: Original, wrapper: Any, frame: Any, entry: Any, hooks: Any, state: Any, **kwargs: Any
    ) -> Any:
        """Keep Dynamo's state of the frame apart, and note breaks raised before tracing, as for a generator."""
        own = self._states.setdefault(frame.f_code, {})
        try:
            return original(wrapper, frame, entry, hooks, own, **kwargs)
        except torch._dynamo.exc.Unsupported as error:
            is_noted = any(notes.code is frame.f_code for notes in self.frames.values())
            if not is_noted and is_outside_torch(frame.f_code.co_filename):
                notes = self.frames.setdefault(f"{len(self.frames)}/-", FrameNotes(frame.f_code))
                notes.add(_break(error, frame.f_code))
                notes.error = _first_line(error)
            raise

    def compile(
        self,
        original: Original,
        code: CodeType,
        globals: Any,
        locals: Any,
        builtins: Any,
        closure: Any,
        backend: Any,
        *args: Any,
        **kwargs: Any,
    ) -> Any:
        notes = self.frames.setdefault(str(kwargs["compile_id"]), FrameNotes(code, _module_class(code, locals)))
        began = time.perf_counter()
        try:
            backend = self._backend_of(code, backend)
            result = original(code, globals, locals, builtins, closure, backend, *args, **kwargs)
        except Exception as error:
            notes.error = _first_line(error)
            if isinstance(error, torch._dynamo.exc.Unsupported):
                notes.add(_break(error, code))
            raise
        finally:
            notes.seconds += time.perf_counter() - began
        if result.guarded_code is None:
            notes.error = getattr(result, "skip_reason", None) or "Dynamo wrote no code for it"
        return result

    def _backend_of(self, code: CodeType, backend: Any) -> Any:
        """Return the backend to compile a frame with: the session's, with the options that the program gave Inductor.

        Other backends of the program's compile their graphs themselves, and are watched.
        A function that had compiled versions before keeps its own backend, because torch can't drop only new versions.
        """
        own = given_backend(backend)
        if isinstance(own, torch._TorchCompileWrapper) and own.compiler_fn is self.watched:
            return backend  # the session's
        self.programs.append(own)
        if self.before.entries.get(code):
            return backend
        if isinstance(own, torch._TorchCompileInductorWrapper) and self.inductor is not None:
            return self.backend(functools.partial(self.inductor, options=dict(own.config)))
        return self.backend(self.others or backend)

    def graph_break(self, original: Original, translator: Any, options: Any, reason: str, exc: Any) -> None:
        notes = self.frames.get(compile_id())
        if notes is not None and not exc.logged:
            notes.add(_break(exc, notes.code))
        return original(translator, options, reason, exc)

    def _bytecode(self, code: CodeType, new_code: CodeType) -> None:
        notes = self.frames.get(compile_id())
        if notes is not None:
            notes.rewritten = instructions(new_code, rewritten=True)


def _module_class(code: CodeType, values: dict[str, Any]) -> str:
    """Return the class of the module that a frame belongs to; empty if it is none."""
    first = values.get(code.co_varnames[0]) if code.co_varnames else None
    if isinstance(first, tuple) and first:  # def wrapper(*args, **kwargs)
        first = first[0]
    wrapped = values.get("fn") if "fn" in code.co_freevars else None  # torch's wrapper of what it compiles
    owners = (first, values.get("self"), getattr(wrapped, "__self__", wrapped))
    return next((type(owner).__name__ for owner in owners if isinstance(owner, torch.nn.Module)), "")


def _first_line(error: BaseException) -> str:
    """Return the first line of an error's message; for a backend's failure, of the error that the backend raised."""
    inner = getattr(error, "inner_exception", None)
    if inner is not None:
        return f"{type(inner).__name__}: {_first_line(inner)}"
    return str(error).strip().split("\n")[0] or type(error).__name__


#: torch's own code calls ``torch._dynamo.graph_break()`` too, in ``Optimizer.step`` for one.
_BY_TORCH = "torch itself breaks the graph here: compile the code before and after it as separate functions"


def _break(error: Any, code: CodeType) -> Break:
    """Return the break in the message that ``torch._dynamo.exc.format_graph_break_message`` writes.

    If torch's own code inserted the break, the user can't follow torch's advice to remove it. A break before the first
    line, as of a generator, is at the function's own line.
    """
    gb_type = getattr(error, "gb_type", None) or _first_line(error)
    head, _, rest = str(getattr(error, "msg", error)).partition("\n  Developer debug context:")
    explanation, *hints = head.partition("\n  Explanation: ")[2].split("\n  Hint: ")
    context = rest.split("\n\n For more details")[0]
    stack = getattr(error, "real_stack", None) or torch._guards.TracingContext.extract_stack()
    own = [location(code.co_filename, code.co_firstlineno, code.co_name)] if is_outside_torch(code.co_filename) else []
    gb_id = _registry().get(gb_type)
    if gb_id == "GB0025" and stack and not is_outside_torch(stack[-1].filename):
        explanation, hints = "torch's own code calls `torch._dynamo.graph_break()`.", [_BY_TORCH]
    return Break(
        gb_type=gb_type,
        gb_id=gb_id,
        explanation=one_line(explanation),
        hints=tuple(map(one_line, hints)),
        context=one_line(context),
        stack=user_frames(stack) or tuple(own),
        callers=_callers(),
    )


def _callers() -> tuple[Location, ...]:
    """Return the user's frames that called the frame that is being compiled, outermost first.

    Dynamo looks at a frame before Python runs it, so the hook's caller is the frame's caller. The frames end at this
    package, which called the user's function.
    """
    frame: FrameType | None = sys._getframe()
    while frame is not None and frame.f_code is not DynamoWatch.look_at.__code__:
        frame = frame.f_back
    while frame is not None and is_own_file(frame.f_code.co_filename):
        frame = frame.f_back
    callers = []
    while frame is not None and not is_own_file(frame.f_code.co_filename):
        if is_outside_torch(frame.f_code.co_filename):
            callers.append(location(frame.f_code.co_filename, frame.f_lineno, frame.f_code.co_name))
        frame = frame.f_back
    return tuple(reversed(callers))


@functools.cache
def _registry() -> dict[str, str]:
    """Return the id (``GB0170``) of each ``gb_type``, from the registry file that ships with torch."""
    path = os.path.join(os.path.dirname(torch._dynamo.__file__), "graph_break_registry.json")
    with open(path, encoding="utf-8") as file:
        registry = json.load(file)
    return {entry["Gb_type"]: number for number, entries in registry.items() for entry in entries}


def instructions(code: CodeType, rewritten: bool = False) -> tuple[Instruction, ...]:
    """Return the bytecode of a function. ``rewritten`` says that Dynamo rewrote it."""
    by_dynamo = rewritten or resumed(code.co_name) is not None
    return tuple(
        Instruction(
            offset=instruction.offset,
            line=_line(instruction, by_dynamo),
            opname=instruction.opname,
            argument=instruction.argrepr,
        )
        for instruction in dis.get_instructions(code)
    )


def _line(instruction: dis.Instruction, by_dynamo: bool) -> int | None:
    """Return the user's line. In code that Dynamo wrote, only the instructions that it took over have columns."""
    positions = instruction.positions
    if positions is None or (by_dynamo and positions.col_offset is None):
        return None
    return positions.lineno
