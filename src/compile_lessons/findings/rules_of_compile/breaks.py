"""Graph breaks by cause, or by the user's call into a library; those that separate the most tensor work first."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from compile_lessons.facts import Break, Frame, Location, Pipeline
from compile_lessons.facts.places import innermost, is_user_file
from compile_lessons.findings.catalogue import STOCK_HINTS, explain_break
from compile_lessons.findings.finding import Finding
from compile_lessons.ground.words import counted, file_line

#: ``/venv/lib/python3.12/site-packages/PIL/Image.py`` is in ``PIL``.
_PACKAGE = re.compile(r"[/\\](?:site|dist)-packages[/\\](\w+)")
#: So many lines that break outside of all tensor work are the setup of a script, not a slip in a step.
_SETUP = 3
_MOST_CAUSES = 3


@dataclass(frozen=True)
class _Placed:
    """A graph break, the user's line that led to it, and the operations on tensors that it separates."""

    graph_break: Break
    line: Location | None
    work: int

    @property
    def library(self) -> str:
        """The library that it is in, if a line of the user's called that library; empty otherwise."""
        stack = self.graph_break.stack
        if not stack or self.line is None or not is_user_file(self.line.file):
            return ""
        return package_of(stack[-1].file)


def package_of(file: str) -> str:
    """Return the installed package that a file is in; empty for the user's own."""
    match = _PACKAGE.search(file)
    return match[1] if match else ""


def graph_breaks(pipeline: Pipeline) -> Iterator[Finding]:
    """Yield a finding for each cause, and one for each line of the user's that calls a library which breaks."""
    groups: dict[object, list[_Placed]] = {}
    for item in _placed(pipeline.frames):
        here = item.graph_break
        key: object = (here.gb_type, here.hints)
        if item.library and item.line:
            key = (item.library, item.line.file, item.line.line)
        groups.setdefault(key, []).append(item)
    for same in sorted(groups.values(), key=lambda same: -max(item.work for item in same)):
        library = same[0].library
        yield _in_library(library, same, pipeline) if library else _of_cause(same, len(groups))


def kinds_of_breaks(pipeline: Pipeline) -> int:
    """Return how many findings ``graph_breaks`` has."""
    return sum(1 for _ in graph_breaks(pipeline))


def outside_of_the_step(pipeline: Pipeline) -> Iterator[Finding]:
    """Yield advice if many breaks are before or after all tensor work, as in a script's setup."""
    placed = _placed(pipeline.frames)
    outside = {(item.line.file, item.line.line): item.line for item in placed if item.line and not item.work}
    if len(outside) < _SETUP:
        return
    yield Finding(
        rule="setup-explained",
        severity="advice",
        what=f"{counted(len(outside), 'line')} with a graph break separate no operations on tensors",
        where=tuple(outside[key] for key in sorted(outside)),
        remedy="explain the function with the tensor work instead, such as one training step",
        lesson="reference/explain",
    )


def _of_cause(same: Sequence[_Placed], causes: int) -> Finding:
    first = same[0].graph_break
    entry = explain_break(first.gb_id)
    hints = [hint for hint in first.hints if not hint.startswith(STOCK_HINTS)][: 2 if causes < 3 else 1]
    return Finding(
        rule="graph-break",
        severity="fault",
        what=f"break: {_name(first)}",
        where=tuple(item.line for item in same if item.line),
        remedy=(entry.words if entry else " ".join(hints)) or "move this line out of the compiled function",
        lesson=entry.lesson if entry else "dynamo/fixing-breaks",
    )


def _in_library(library: str, same: Sequence[_Placed], pipeline: Pipeline) -> Finding:
    """Return the finding of all breaks that one call of a library led to.

    Where the library computes with tensors it is a part of the model, so only its own lines can be changed.
    """
    causes = Counter(_name(item.graph_break) for item in same)
    lines = {_name(item.graph_break): item.graph_break.stack[-1] for item in same}
    evidence = [
        f"{name}, {file_line(lines[name].file, lines[name].line)}" + (f", {number} times" if number > 1 else "")
        for name, number in causes.most_common(_MOST_CAUSES)
    ]
    if len(causes) > _MOST_CAUSES:
        evidence.append(f"… {counted(len(causes) - _MOST_CAUSES, 'more cause')}: --only breaks")
    first = same[0].graph_break
    hints = [hint for hint in first.hints if not hint.startswith(STOCK_HINTS)]
    entry = explain_break(first.gb_id)
    remedy, lesson = _KEEP_OUT.format(library=library), _LIBRARIES
    if _computes(library, pipeline):
        remedy = (entry.words if entry else " ".join(hints[:1])) or "change these lines of the library, or report them"
        lesson = entry.lesson if entry else "dynamo/fixing-breaks"
    return Finding(
        rule="graph-break",
        severity="fault",
        what=f"break: {counted(len(same), 'graph break')} inside {library}, from one call",
        where=(same[0].line,) if same[0].line else (),
        evidence=tuple(evidence),
        remedy=remedy,
        lesson=lesson,
    )


_KEEP_OUT = "call {library} outside of the compiled function: compile only the part that computes with tensors"
_LIBRARIES = "dynamo/graph-break-causes#c-extensions-and-third-party-libraries"


def _computes(library: str, pipeline: Pipeline) -> bool:
    nodes = (node for graph in pipeline.graphs for node in graph.dynamo.calls)
    return any(node.location is not None and package_of(node.location.file) == library for node in nodes)


def _name(item: Break) -> str:
    return f"{item.gb_type} ({item.gb_id})" if item.gb_id else item.gb_type


def _placed(frames: Sequence[Frame]) -> list[_Placed]:
    """Return all breaks.

    A function and what resumes it are a chain of frames, and a break divides the chain. A break in a function that is
    called also divides its callers' chains.
    """
    placed = []
    for i, frame in enumerate(frames):
        for graph_break in frame.breaks:
            chains = {_chain(frame.file, frame.function)}
            chains |= {_chain(caller.file, caller.function) for caller in graph_break.callers}
            line = innermost((*graph_break.callers, *graph_break.stack))
            placed.append(_Placed(graph_break, line, max(_divided(frames, i, chain) for chain in chains)))
    return placed


def _divided(frames: Sequence[Frame], here: int, chain: tuple[str, str]) -> int:
    """Return the operations of a chain up to a frame, or those after it, whichever are fewer."""
    operations = [
        len(frame.graph.dynamo.calls) if frame.graph and _chain(frame.file, frame.function) == chain else 0
        for frame in frames
    ]
    return min(sum(operations[: here + 1]), sum(operations[here + 1 :]))


#: The name that Dynamo gives what follows a break: ``torch_dynamo_resume_in_step_at_12``.
RESUMED = re.compile(r"(?:torch_dynamo_resume_in_)+(.+?)(?:_at_\d+)+$")


def _chain(file: str, function: str) -> tuple[str, str]:
    return file, RESUMED.sub(r"\1", function)
