"""The Dynamo stage: frames, bytecode, breaks, skipped frames and the torch-level graph.

Relies on ``torch/_dynamo/convert_frame.py`` (what happens to a frame) and ``torch/_dynamo/symbolic_convert.py``
(graph breaks). ``Watch.HOOKS`` are all the private functions touched.
"""

from __future__ import annotations

import dis
import functools
import json
import os
import re
import time
from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import dataclass, field
from types import CodeType
from typing import Any

import torch
import torch._dynamo.convert_frame
import torch._dynamo.exc
from torch._guards import CompileContext

from compile_lessons.pipeline import fxgraph
from compile_lessons.pipeline.model import Break, Graph, Instruction, Skip
from compile_lessons.pipeline.source import from_summary, is_user_file
from compile_lessons.pipeline.state import Before

#: Dynamo's name for the functions that continue after a break.
RESUME = "torch_dynamo_resume_in_"


def compile_id() -> str:
    """torch's id of the compile in progress, ``"0/0"``."""
    return str(CompileContext.current_compile_id())


@dataclass
class FrameNotes:
    """What is learnt about a frame while it compiles."""

    code: CodeType
    #: Not the code object itself: Dynamo clears up after it when nothing holds it any longer.
    rewritten: tuple[Instruction, ...] | None = None
    breaks: list[Break] = field(default_factory=list)
    graph: Graph | None = None
    graph_id: int | None = None
    error: str | None = None
    #: Time in Dynamo and in the compilers that it calls.
    seconds: float = 0.0


class Watch:
    """Notes on every frame that Dynamo looks at, by compile id."""

    HOOKS = {  # noqa: RUF012
        "torch._dynamo.convert_frame:CatchErrorsWrapper.__call__": "look_at",
        "torch._dynamo.convert_frame:ConvertFrameAssert.__call__": "convert",
        "torch._dynamo.convert_frame:_compile": "compile",
        "torch._dynamo.symbolic_convert:InstructionTranslatorBase.log_graph_break": "graph_break",
    }

    def __init__(self, stack: ExitStack, before: Before) -> None:
        self.frames: dict[str, FrameNotes] = {}
        self.skips: list[Skip] = []
        #: How often a compiled graph ran.
        self.runs = 0
        self.before = before
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

    def look_at(self, original: Callable[..., Any], wrapper: Any, frame: Any, *args: Any) -> Any:
        code = frame.f_code
        self.before.note(code, frame.f_globals)
        result = original(wrapper, frame, *args)
        if result.guarded_code is None and is_user_file(code.co_filename):
            given = getattr(result, "skip_reason", None) or f"torch {torch.__version__} gives no reason"
            reason = self._error(code) or given
            self.skips.append(Skip(code.co_name, code.co_filename, code.co_firstlineno, reason))
        return result

    def _error(self, code: CodeType) -> str | None:
        """What stopped the frame; torch's reason for skipping it is then only that an error was suppressed."""
        errors = [notes.error for notes in self.frames.values() if notes.code is code and notes.error]
        return errors[-1] if errors else None

    def convert(
        self,
        original: Callable[..., Any],
        converter: Any,
        frame: Any,
        entry: Any,
        hooks: Any,
        state: dict[str, Any],
        **kwargs: Any,
    ) -> Any:
        """Keeps Dynamo's own notes on the frame apart, and notes breaks raised before tracing, as for a generator."""
        own = self._states.setdefault(frame.f_code, {})
        try:
            return original(converter, frame, entry, hooks, own, **kwargs)
        except torch._dynamo.exc.Unsupported as error:
            known = any(notes.code is frame.f_code for notes in self.frames.values())
            if not known and is_user_file(frame.f_code.co_filename):
                notes = self.frames.setdefault(f"{len(self.frames)}/-", FrameNotes(frame.f_code))
                notes.breaks.append(_break(error, error.real_stack or []))
                notes.error = _first_line(error)
            raise

    def compile(self, original: Callable[..., Any], code: CodeType, *args: Any, **kwargs: Any) -> Any:
        notes = self.frames.setdefault(str(kwargs["compile_id"]), FrameNotes(code))
        began = time.perf_counter()
        try:
            result = original(code, *args, **kwargs)
        except Exception as error:
            notes.error = _first_line(error)
            if isinstance(error, torch._dynamo.exc.Unsupported):
                _add(notes.breaks, _break(error, error.real_stack or []))
            raise
        finally:
            notes.seconds += time.perf_counter() - began
        if result.guarded_code is None:
            notes.error = getattr(result, "skip_reason", None) or "Dynamo made no code for it"
        return result

    def graph_break(self, original: Callable[..., Any], translator: Any, options: Any, reason: str, exc: Any) -> None:
        notes = self.frames.get(compile_id())
        if notes is not None and not exc.logged:
            stack = getattr(exc, "real_stack", None) or torch._guards.TracingContext.extract_stack()
            _add(notes.breaks, _break(exc, stack))
        return original(translator, options, reason, exc)

    def _bytecode(self, code: CodeType, rewritten: CodeType) -> None:
        notes = self.frames.get(compile_id())
        if notes is not None:
            notes.rewritten = instructions(rewritten, rewritten=True)


def _add(breaks: list[Break], found: Break) -> None:
    """Dynamo may trace a frame several times and meet the same break again, or raise it once more at the end."""
    if _what_and_where(found) not in map(_what_and_where, breaks):
        breaks.append(found)


def _what_and_where(found: Break) -> tuple[Any, ...]:
    return found.gb_type, [(frame.file, frame.line) for frame in found.stack]


def _first_line(error: BaseException) -> str:
    """What was raised, in a line; of a backend's failure, what the backend raised."""
    inner = getattr(error, "inner_exception", None)
    if inner is not None:
        return f"{type(inner).__name__}: {_first_line(inner)}"
    return str(error).strip().split("\n")[0] or type(error).__name__


def _break(error: Any, stack: Any) -> Break:
    """A break from the message that ``torch._dynamo.exc.format_graph_break_message`` writes."""
    gb_type = getattr(error, "gb_type", None) or _first_line(error)
    head, _, rest = str(getattr(error, "msg", error)).partition("\n  Developer debug context:")
    explanation, *hints = head.partition("\n  Explanation: ")[2].split("\n  Hint: ")
    context = rest.split("\n\n For more details")[0]
    frames = [frame for frame in from_summary(stack) if is_user_file(frame.file)]
    return Break(
        gb_type, _registry().get(gb_type), _join(explanation), tuple(map(_join, hints)), _join(context), tuple(frames)
    )


def _join(text: str) -> str:
    return re.sub(r"\s+", " ", text).strip()


@functools.cache
def _registry() -> dict[str, str]:
    """``gb_type`` → GB id, from the registry file that ships with torch. The newest entry of an id comes first."""
    path = os.path.join(os.path.dirname(torch._dynamo.__file__), "graph_break_registry.json")
    with open(path, encoding="utf-8") as file:
        registry = json.load(file)
    return {entry["Gb_type"]: number for number, entries in registry.items() for entry in entries}


def instructions(code: CodeType, rewritten: bool = False) -> tuple[Instruction, ...]:
    """The bytecode of a function; ``rewritten`` says that it is what Dynamo made of one."""
    of_dynamo = rewritten or code.co_name.startswith(RESUME)
    return tuple(
        Instruction(found.offset, _line(found, of_dynamo), found.opname, found.argrepr)
        for found in dis.get_instructions(code)
    )


def _line(instruction: dis.Instruction, of_dynamo: bool) -> int | None:
    """The user's line. Dynamo writes the line before where it knows none; only what it took over has columns too."""
    positions = instruction.positions
    if positions is None or (of_dynamo and positions.col_offset is None):
        return None
    return positions.lineno
